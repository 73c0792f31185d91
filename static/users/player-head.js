// Header of a player's page, with the actions on the player (challenge, block, report), and the
// crosstable: the score between the viewer and the player, overall and by variant. Used by
// player.js.
import { post, variants } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { openAiDialog } from "../common/ai-dialog.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton, field, form } from "../lib/form.js";
import { h, toast, selectBox } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { onlineDot, userHandle, userBadge } from "../common/user-link.js";
import { followButton } from "./follow-button.js";
import { agoText, dayText } from "../lib/format-time.js";
import { overrideReason, t, variantName } from "../lib/i18n.js";

/** @type {ReportReason[]} */
const REASONS = ["cheating", "abuse", "name", "other"];
const TEXT_MAX = 1000;

/**
 * Opens the dialog that reports a player to the moderators.
 * @param {User} user
 */
const openReportDialog = (user) =>
  openDialog(t("report.title", { name: user.username }), (close) => {
    const reason = selectBox(
      { name: "reason" },
      REASONS.map((key) => [key, t(`report.reason.${key}`)]),
    );
    const text = h("textarea", { name: "text", rows: 5, maxlength: TEXT_MAX });
    return form(
      [
        h("p", { class: "small soft" }, t("report.lead")),
        field(t("report.about"), reason),
        field(t("report.text"), text),
      ],
      t("report.send"),
      async () => {
        await post("/api/report", {
          username: user.username,
          reason: REASONS[reason.selectedIndex],
          text: text.value,
        }).catch(overrideReason("tooMany", "report.tooMany"));
        close();
        toast(t("report.sent"));
      },
    );
  });

/**
 * Returns the button that blocks or unblocks a player, and its status line. `changed` receives the
 * new state.
 * @param {User} user
 * @param {(blocking: boolean) => void} changed
 */
const blockButton = (user, changed) => {
  let { blocking } = user;
  const note = h("p", { class: "small soft", role: "status" });
  const draw = () => {
    button.textContent = t(blocking ? "player.unblock" : "player.block");
    note.textContent = blocking ? t("player.blocked", { name: user.username }) : "";
  };
  const button = asyncButton(
    "",
    async () => {
      await post(`/api/rel/${blocking ? "unblock" : "block"}/${userHandle(user)}`).catch(
        overrideReason("tooMany", "player.tooMany"),
      );
      blocking = !blocking;
      draw();
      changed(Boolean(blocking));
    },
    "btn btn-quiet",
  );
  draw();
  return [button, note];
};

/**
 * Returns the button for a game against the computer, at the level of this account.
 * @param {User} user
 */
const playComputerButton = ({ level }) =>
  asyncButton(
    t("computer.title"),
    async () => openAiDialog(await variants(), goToGame, { level }),
    "btn btn-primary",
  );

/**
 * Returns the link that opens the dialog of a challenge to a player; its address has the complete
 * form.
 * @param {User} user
 * @param {Account} me
 */
const challengeLink = (user, me) => {
  /** @param {MouseEvent} event */
  const open = async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const [{ openInviteDialog }, catalog] = await Promise.all([
        import("../common/invite-dialog.js"),
        variants(),
      ]);
      await openInviteDialog(catalog, me, { to: user, go: goToGame });
    } catch {
      location.assign(`/lobby?to=${userHandle(user)}`);
    }
  };
  return h(
    "a",
    { class: "btn btn-primary", href: `/lobby?to=${userHandle(user)}`, onclick: open },
    t("player.challenge"),
  );
};

/**
 * Returns the actions on the viewer's own page.
 * @param {User} user
 */
const ownActions = (user) => [
  h("a", { class: "btn", href: "/account" }, t("nav.account")),
  h("a", { class: "btn btn-quiet", href: "/following" }, t("follow.title")),
  h(
    "a",
    {
      class: "btn btn-quiet",
      href: `/api/games/user/${userHandle(user)}?as=text`,
      download: `${user.id}.txt`,
    },
    t("player.export"),
  ),
];

/**
 * Returns the header of a player's page.
 * @param {User} user
 * @param {Account} me  viewer
 */
export const playerHead = (user, me) => {
  const isOwn = user.id === me.id;
  const facts = [
    user.closed
      ? null
      : user.online
        ? t("player.online")
        : user.seenAt && t("player.seen", { ago: agoText(user.seenAt) }),
    user.vacationUntil && t("player.vacation", { date: dayText(user.vacationUntil) }),
    user.createdAt && t("player.since", { date: dayText(user.createdAt) }),
    user.profile?.location,
  ].filter(Boolean);
  const follow = h("span", {});
  /** @type {(blocking: boolean, following: boolean) => void} */
  const drawFollow = (blocking, following) =>
    follow.replaceChildren(...(blocking ? [] : [followButton(user, following)]));
  drawFollow(Boolean(user.blocking), Boolean(user.following));
  // A block ends following.
  const onBlock = (/** @type {boolean} */ blocking) => drawFollow(blocking, false);
  const [block, note] = isOwn || user.closed ? [] : blockButton(user, onBlock);
  const actions = isOwn
    ? ownActions(user)
    : user.closed
      ? []
      : [
          user.level ? playComputerButton(user) : challengeLink(user, me),
          !user.level && !user.guest && !me.guest && follow,
          !user.level && block,
          !user.level &&
            asyncButton(t("player.report"), async () => openReportDialog(user), "btn btn-quiet"),
        ];
  const moderate =
    me.admin &&
    !isOwn &&
    h("a", { class: "btn btn-quiet", href: `/admin?user=${userHandle(user)}` }, t("mod.moderate"));
  if (moderate) actions.push(moderate);
  return h(
    "header",
    { class: "player-head" },
    h(
      "div",
      {},
      h("h1", {}, user.username, " ", userBadge(user), " ", !user.closed && onlineDot(user.online)),
      h("p", { class: "soft small player-facts" }, facts.join(" · ")),
      user.level && h("p", {}, t("computer.is", { n: user.level })),
      user.closed && h("p", {}, t("player.closed")),
      user.profile?.bio && !user.closed && h("p", { class: "player-bio" }, user.profile.bio),
      user.playing &&
        !user.closed &&
        h(
          "p",
          {},
          h(
            "a",
            { class: "player-game-link", href: user.playing },
            t(isOwn ? "player.back" : "player.playing"),
          ),
        ),
    ),
    actions.length > 0 && h("div", { class: "users-actions" }, ...actions),
    note,
  );
};

/**
 * Formats points with their halves: 3½.
 * @param {number} value
 */
const points = (value) => `${Math.floor(value) || (value % 1 ? "" : 0)}${value % 1 ? "½" : ""}`;

/** @type {(users: Record<string, number>, me: { id: string }, user: { id: string }) => string} */
const score = (users, me, opponent) =>
  `${points(users[me.id] ?? 0)} – ${points(users[opponent.id] ?? 0)}`;

/**
 * Returns the card of the crosstable between the viewer and a player.
 * @param {{
 *   users: Record<string, number>,
 *   nbGames: number,
 *   variants: Record<string, Record<string, number>>,
 * }} between  response of the crosstable endpoint
 * @param {Account} me
 * @param {User} opponent
 * @param {Catalog} catalog
 */
export const crosstable = ({ users, nbGames, variants: games }, me, opponent, catalog) => {
  const rows = [...catalog.values()]
    .filter(({ key }) => games[key]?.nb)
    .map((variant) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("span", { class: "variant-icon" }, icon(variant.key)),
          variantName(variant),
        ),
        h("td", { class: "num head-to-head-result" }, score(games[variant.key], me, opponent)),
        h("td", { class: "num soft small" }, t("games.total", { n: games[variant.key].nb })),
      ),
    );
  return h(
    "section",
    {},
    h("h2", {}, t("player.between")),
    h(
      "div",
      { class: "card head-to-head" },
      h(
        "p",
        { class: "head-to-head-score num" },
        h("span", {}, t("player.you")),
        h("b", {}, score(users, me, opponent)),
        h("span", {}, opponent.username),
      ),
      h("p", { class: "small soft num" }, t("games.total", { n: nbGames })),
      rows.length > 0 &&
        h(
          "table",
          {},
          h("caption", { class: "visually-hidden" }, t("player.byGame")),
          h("tbody", {}, ...rows),
        ),
    ),
  );
};
