// Addresses and devices of an account, with the accounts that share them and the buttons that ban
// them. Used by person.js.
import { get, post } from "../lib/http.js";
import { h, toast } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { field, form } from "../lib/form.js";
import { t } from "../lib/i18n.js";
import { banState, deviceText, openLift } from "./bans.js";
import { daysInput } from "./days.js";
import { userLink } from "./log.js";
import { reasonInput, reasonOf } from "./reason.js";

/** @typedef {"address" | "device"} Kind */

/**
 * Opens the dialog that bans an address or device. Calls `done` with the account afterwards.
 * @param {string} user
 * @param {Kind} kind
 * @param {string} id
 * @param {(user: ModeratedUser) => void} done
 */
const openBan = (user, kind, id, done) =>
  openDialog(t(`mod.ban.${kind}`), (close) => {
    const [days, reason] = [daysInput(), reasonInput()];
    return form(
      [
        h("p", { class: "small soft" }, t("mod.ban.why")),
        field(t("mod.time"), days),
        field(t("mod.reason"), reason, t("mod.reasonNote")),
      ],
      t("mod.ban.do"),
      async () => {
        const number = Number(days.value);
        const changed = await post(`/api/admin/user/${encodeURIComponent(user)}/ban`, {
          reason: reasonOf(reason),
          [kind]: id,
          ...(number ? { days: number } : {}),
        });
        close();
        toast(t("mod.saved"));
        done(changed);
      },
    );
  });

/**
 * @param {ModeratedUser} user
 * @param {Kind} kind
 * @param {(user: ModeratedUser) => void} done
 */
const originList = (user, kind, done) => {
  const origins = kind === "address" ? user.addresses : user.devices;
  const lifted = async () => done(await get(`/api/admin/user/${encodeURIComponent(user.id)}`));
  const row = (/** @type {ModeratedUser["addresses"][number]} */ { id, accounts, ban }) =>
    h(
      "li",
      {},
      h(
        "div",
        { class: "admin-report" },
        h("b", {}, kind === "address" ? id : deviceText(id)),
        ban &&
          h("span", {}, t(kind === "address" ? "mod.logged.ban-address" : "mod.logged.ban-device")),
        ...(ban ? banState(ban) : []),
        h(
          "span",
          { class: "small" },
          accounts.length ? t(`mod.same.${kind}`) : t("mod.same.none"),
          ...accounts.flatMap((other) => [
            " ",
            h("a", { class: "admin-link", href: userLink(other.id) }, other.name),
          ]),
        ),
        h(
          "button",
          {
            class: "btn",
            type: "button",
            onclick: () => (ban ? openLift(ban.number, lifted) : openBan(user.id, kind, id, done)),
          },
          t(ban ? "mod.lift" : `mod.ban.${kind}`),
        ),
      ),
    );
  return [
    h("h3", {}, t(`mod.origins.${kind}`)),
    origins.length
      ? h("ol", { class: "account-list" }, ...origins.map(row))
      : h("p", { class: "small soft" }, t("mod.origins.none")),
  ];
};

/**
 * Returns the section. `done` gets the account after a ban.
 * @param {ModeratedUser} user
 * @param {(user: ModeratedUser) => void} done
 */
export const originsSection = (user, done) =>
  h(
    "section",
    { class: "card account-section", id: "origins" },
    h("h2", {}, t("mod.origins")),
    ...originList(user, "address", done),
    ...originList(user, "device", done),
  );
