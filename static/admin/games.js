// Last rated games of an account, with their chats and the button that voids them. Used by
// person.js.
import { account, get, post } from "../lib/http.js";
import { h, toast } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton, field, form } from "../lib/form.js";
import { dayText } from "../lib/format-time.js";
import { t, variantName } from "../lib/i18n.js";
import { ratingDiffText } from "../common/user-link.js";
import { chatOf } from "./game-chat.js";
import { reasonInput, reasonOf } from "./reason.js";

/**
 * Opens the dialog that voids a game. Calls `done` afterwards.
 * @param {string} game
 * @param {() => void} done
 */
const openVoid = (game, done) =>
  openDialog(t("mod.voidTitle"), (close) => {
    const reason = reasonInput();
    return form(
      [
        h("p", { class: "small soft" }, t("mod.voidWhy")),
        field(t("mod.reason"), reason, t("mod.reasonNote")),
      ],
      t("mod.void"),
      async () => {
        await post(`/api/admin/game/${game}/void`, { reason: reasonOf(reason) });
        close();
        toast(t("mod.saved"));
        done();
      },
    );
  });

/**
 * @param {Summary} game
 * @param {string} me  moderator, who cannot void their own games
 * @returns {HTMLElement}
 */
const gameRow = (game, me) => {
  const { id, variant, first, second, winner, status, endedAt, createdAt, voided } = game;
  const player = (/** @type {Summary["first"]} */ { name, diff }, /** @type {Side} */ side) => [
    h("span", { class: winner === side ? "admin-winner" : null }, name),
    " ",
    ratingDiffText(diff),
  ];
  const element = h(
    "li",
    {},
    h(
      "div",
      { class: "admin-report" },
      h("span", {}, ...player(first, "first"), " – ", ...player(second, "second")),
      h(
        "span",
        { class: "small weak" },
        `${variantName(variant)} · ${dayText(endedAt ?? createdAt)}`,
        status === "started" && ` · ${t("games.playing")}`,
        voided && ` · ${t("end.voided")}`,
      ),
      ...chatOf(id),
      first.diff !== null &&
        ![first.id, second.id].includes(me) &&
        h(
          "button",
          { class: "btn admin-void", type: "button", onclick: () => open() },
          t("mod.void"),
        ),
    ),
  );
  const without = (/** @type {Summary["first"]} */ one) => ({ ...one, diff: null });
  const open = () =>
    openVoid(id, () =>
      element.replaceWith(
        gameRow({ ...game, voided: true, first: without(first), second: without(second) }, me),
      ),
    );
  return element;
};

/**
 * Returns the section with the button that loads the games.
 * @param {string} user
 */
export const gamesSection = (user) => {
  const place = h("div", {});
  const show = asyncButton(t("mod.showGames"), async () => {
    /** @type {{ games: Summary[] }} */
    const { games } = await get(`/api/user/${encodeURIComponent(user)}/games?rated=true`);
    const { id } = await account();
    place.replaceChildren(
      games.length
        ? h("ol", { class: "account-list" }, ...games.map((game) => gameRow(game, id)))
        : h("p", { class: "soft" }, t("mod.noGames")),
    );
  });
  return h(
    "section",
    { class: "card account-section", id: "games" },
    h("h2", {}, t("mod.games")),
    h("div", { class: "users-actions" }, show),
    place,
  );
};
