// Entry point of the account page (/account): profile, password, two-step login, passkeys, recovery
// words, e-mail, sessions, blocked players, game export, API tokens, archive, closure and erasure.
// A guest gets an invitation to sign up, a personal login link and the archive instead.
import { challengeSettingsSection } from "./challenge-settings.js";
import { closeSection, eraseSection } from "./account-end.js";
import { emailSection } from "./email.js";
import { recoverySection } from "./recovery-words.js";
import { tokensSection } from "./tokens.js";
import { passkeysSection } from "./passkeys.js";
import { secondFactorSection } from "./second-factor.js";
import { blockedSection, sessionsSection } from "./lists.js";
import { account, post } from "../lib/http.js";
import { asyncButton, field, form, password, usernameField } from "../lib/form.js";
import { h, toast } from "../lib/dom.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { userHandle, userPath } from "../common/user-link.js";
import { copyField } from "../lib/share.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";

const BIO_MAX = 400;
const LOCATION_MAX = 40;

/**
 * Returns the section with the texts of the public profile.
 * @param {Account} me
 */
const profileSection = ({ profile }) => {
  const bio = h("textarea", { name: "bio", rows: 4, maxlength: BIO_MAX }, profile?.bio ?? "");
  const location = h("input", {
    name: "location",
    maxlength: LOCATION_MAX,
    value: profile?.location ?? "",
  });
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("account.profile")),
    form(
      [field(t("account.bio"), bio, t("account.bioNote")), field(t("account.location"), location)],
      t("account.save"),
      async () => {
        await post("/api/account/profile", { bio: bio.value, location: location.value });
        toast(t("account.saved"));
      },
    ),
  );
};

/**
 * Returns the section that changes the password, and a function that takes the number of API
 * tokens. The server revokes all other sessions, and the tokens unless the player keeps them.
 * @param {Account} me
 * @param {() => void} changed  called after the change
 */
const passwordSection = ({ username }, changed) => {
  const old = password("current-password");
  const next = password("new-password");
  old.name = "old";
  next.name = "new";
  const keepTokens = h("input", { type: "checkbox", name: "keepTokens" });
  const keepLabel = h("label", { class: "checkbox" }, keepTokens, t("account.keepTokens"));
  const section = h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("account.password")),
    form(
      [
        usernameField(username),
        field(t("account.old"), old),
        field(t("account.new"), next, t("account.changeNote")),
        keepLabel,
      ],
      t("account.change"),
      async (element) => {
        try {
          await post("/api/account/password", {
            old: old.value,
            new: next.value,
            keepTokens: keepTokens.checked,
          });
        } catch (refused) {
          // The reason is the same for a wrong old password and a new one that is too short.
          throw refused.status === 403 && refused.reason === "badPassword"
            ? new Error(t("account.badOld"))
            : refused;
        }
        element.reset();
        toast(t("account.changed"));
        changed();
      },
    ),
  );
  const setTokenCount = (/** @type {number} */ count) => (keepLabel.hidden = count === 0);
  return { section, setTokenCount };
};

/** Returns the section that creates a personal login link for a guest. */
const linkSection = () => {
  const result = h("div", { class: "account-secret", role: "status" });
  const make = asyncButton(t("guest.make"), async () => {
    const { url } = await post("/api/account/link");
    result.replaceChildren(
      copyField(t("guest.link"), url),
      h("p", { class: "small soft" }, t("guest.keep")),
    );
  });
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("guest.link")),
    h("p", {}, t("guest.linkWhy")),
    result,
    h("div", { class: "users-actions" }, make),
  );
};

/** @param {Account} me */
const guestSections = (me) => [
  h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("guest.title", { name: me.username })),
    h("p", {}, t("guest.signup")),
    h(
      "div",
      { class: "users-actions" },
      h("a", { class: "btn btn-primary", href: "/login" }, t("nav.signup")),
      h("a", { class: "btn btn-quiet", href: "/login#login" }, t("login.have")),
    ),
  ),
  linkSection(),
  archiveSection(me),
];

/**
 * Returns the section with the download of all data.
 * @param {Account} me
 */
const archiveSection = ({ id }) =>
  h(
    "section",
    { class: "card account-section", id: "archive" },
    h("h2", {}, t("account.archive")),
    h("p", { class: "small soft" }, t("account.archiveWhy")),
    h(
      "div",
      { class: "users-actions" },
      h(
        "a",
        { class: "btn", href: "/api/account/archive", download: `sprong-${id}-archive.ndjson` },
        t("account.archiveGet"),
      ),
    ),
  );

const main = document.querySelector("main");

/**
 * Returns the section with the downloads of all games.
 * @param {Account} me
 */
const exportSection = (me) => {
  /** @type {(as: "text" | "json", key: string) => HTMLElement} */
  const link = (as, key) =>
    h(
      "a",
      {
        class: "btn",
        href: `/api/games/user/${userHandle(me)}?as=${as}`,
        download: `${me.id}.${as === "text" ? "txt" : "ndjson"}`,
      },
      t(key),
    );
  return h(
    "section",
    { class: "card account-section", id: "export" },
    h("h2", {}, t("account.export")),
    h("p", { class: "small soft" }, t("account.exportWhy")),
    h(
      "div",
      { class: "users-actions" },
      link("text", "account.exportText"),
      link("json", "account.exportJson"),
    ),
  );
};

/** @param {Account} me */
const memberSections = (me) => {
  const change = passwordSection(me, () => {
    sessions.list.reload();
    tokens.list.reload();
    recovery.reload();
  });
  const factor = secondFactorSection(() => recovery.reload());
  const passkeys = passkeysSection(() => recovery.reload());
  const recovery = recoverySection((words) => {
    factor.setWordCount(words);
    passkeys.setWordCount(words);
  });
  const sessions = sessionsSection();
  const tokens = tokensSection(me, change.setTokenCount);
  return [
    profileSection(me),
    challengeSettingsSection(),
    change.section,
    factor.section,
    passkeys.section,
    recovery.section,
    emailSection(),
    sessions.section,
    blockedSection(),
    exportSection(me),
    tokens.section,
    archiveSection(me),
    closeSection(me),
    eraseSection(me),
  ];
};

const show = async () => {
  const me = await account();
  const head = h(
    "div",
    { class: "users-head" },
    h("h1", {}, t("account.title")),
    h(
      "div",
      { class: "users-actions" },
      me.admin && h("a", { class: "btn", href: "/admin" }, t("mod.title")),
      h("a", { class: "btn", href: userPath(me) }, t("account.page")),
    ),
  );
  const sections = me.guest ? guestSections(me) : memberSections(me);
  main.append(h("div", { class: "users-page account-page" }, head, ...sections));
  // The section did not exist when the browser looked for the target of the link.
  if (["#recovery", "#email"].includes(location.hash))
    document.querySelector(location.hash)?.scrollIntoView();
};

initHeader("/account");
subscribe();
document.title = `${t("account.title")} · Sprong`;
show().catch((refused) => main.append(loadFailed(refused)));
