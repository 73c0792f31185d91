// Sheet of the inbox: the games in which it is the user's turn, and all news with their actions. It
// follows the inbox while it is open.
import { get } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { daysText } from "../lib/format-time.js";
import { h, restoreFocus } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { icon } from "../variants/index.js";
import { noticeBar, showCountdown } from "./notice-bar.js";
import { t, variantName } from "../lib/i18n.js";
import "../lib/i18n-more.js";

/** @typedef {{ draw(): void, reload(): Promise<void>, tick(): void }} InboxSheet */

// Style sheet of cards and sheet, which no page needs at first.
await loadStyleSheet("inbox");

/**
 * Returns whether the game counts as waiting for the user: without a clock, and against a person.
 * @param {OwnGame} game
 */
const isWaiting = ({ isMyTurn, opponent, timeControl }) =>
  isMyTurn && !opponent.ai && timeControl.type !== "clock";

/** @param {OwnGame} game */
const turnItem = ({ gameId, opponent, secondsLeft, variant }) =>
  h(
    "li",
    { "data-id": gameId },
    h(
      "a",
      { class: "inbox-game", href: `/${gameId}` },
      h("span", { class: "variant-icon" }, icon(variant.key)),
      h("span", {}, h("b", {}, opponent.username), ` · ${variantName(variant)}`),
      typeof secondsLeft === "number" &&
        h(
          "span",
          { class: "small soft num" },
          t("own.left", { left: daysText(1000 * secondsLeft) }),
        ),
    ),
  );

/**
 * @param {string} key phrase of the heading, with the number of items
 * @param {HTMLElement} list
 */
const section = (key, list) => {
  const heading = h("h3", { class: "num" });
  const element = h("section", {}, heading, list);
  /** @param {HTMLElement[]} items */
  const show = (items) => {
    element.hidden = items.length === 0;
    heading.textContent = t(key, { n: items.length });
    restoreFocus(list, () => list.replaceChildren(...items));
  };
  return { element, show };
};

/**
 * Opens the sheet; `onClose()` is called after it was closed.
 * @param {import("./inbox.js").Inbox} inbox
 * @param {() => unknown} onClose
 * @returns {InboxSheet}
 */
export const openInboxSheet = (inbox, onClose) => {
  const turns = section("inbox.turns", h("ul", { tabindex: -1 }));
  const news = section("inbox.news", h("ul", { tabindex: -1 }));
  const empty = h("p", { class: "soft" }, t("inbox.empty"));
  const settings = h("a", { class: "btn btn-quiet", href: "/settings" }, t("setting.title"));
  /** @type {OwnGame[]} */
  let games = [];
  const tick = () => {
    for (const [id, { readyBy }] of inbox.news) {
      const item = readyBy && news.element.querySelector(`[data-id="${CSS.escape(id)}"]`);
      if (item) showCountdown(item, readyBy - inbox.now());
    }
  };
  const draw = () => {
    turns.show(games.map(turnItem));
    news.show(
      [...inbox.news].map(([id, notice]) => {
        const actions = inbox.actions(id, notice, () => inbox.dismiss(id));
        return h("li", { "data-id": id }, noticeBar(notice, inbox.catalog, actions));
      }),
    );
    empty.hidden = games.length + inbox.news.size > 0;
    tick();
  };
  const reload = async () => {
    const answer = await get("/api/account/playing").catch(() => null);
    if (!answer) return;
    /** @type {OwnGame[]} */
    const playing = answer.nowPlaying;
    games = playing.filter(isWaiting);
    for (const [id, { kind }] of inbox.news)
      if (kind === "begun" && playing.every(({ gameId }) => gameId !== id)) inbox.remove(id);
    draw();
  };
  const dialog = openDialog(t("news.title"), () =>
    h("div", { class: "dialog-body inbox" }, turns.element, news.element, empty, settings),
  );
  dialog.addEventListener("close", onClose);
  draw();
  reload();
  return { draw, reload, tick };
};
