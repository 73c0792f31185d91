// Names of users: link, online dot, badge (BOT, guest) and rating. Accepts every shape in which the
// server describes users. Used by all modules that show a name.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * Whether a user is a guest. Guest ids begin with `~`; guest names are not unique.
 * @param {{ id: string }} player
 */
export const isGuest = ({ id }) => id.startsWith("~");

/**
 * Returns the path segment of a user: the id of a guest, the name of an account.
 * @param {Person} player
 * @returns {string}
 */
export const userHandle = ({ id, name, username }) =>
  encodeURIComponent(isGuest({ id }) ? id : (name ?? username ?? id));

/**
 * Returns the address of a user's page.
 * @param {Person} player
 * @returns {string}
 */
export const userPath = (player) => `/@/${userHandle(player)}`;

/**
 * Returns a dot for a user who is online.
 * @param {boolean | undefined} online
 */
export const onlineDot = (online) =>
  online &&
  h(
    "span",
    { class: "online-dot", title: t("player.online") },
    h("span", { class: "visually-hidden" }, t("player.online")),
  );

/**
 * Returns the badge of a bot, with the level of an engine account; nothing for humans.
 * @param {{ title?: string | null, level?: number }} player
 */
export const botBadge = ({ title, level }) =>
  title &&
  h(
    "span",
    { class: "user-badge is-bot num", title: level ? t("computer.is", { n: level }) : null },
    level ? `${title} ${level}` : title,
  );

/**
 * Returns the badge beside a name: bot or guest.
 * @param {Person} player
 */
export const userBadge = (player) =>
  botBadge(player) || (isGuest(player) && h("span", { class: "user-badge" }, t("card.guest")));

/**
 * Returns a name with a link to the user's page.
 * @param {Person} player
 */
export const nameLink = (player) =>
  h(
    "span",
    { class: "user-link" },
    onlineDot(player.online),
    h("a", { href: userPath(player) }, player.name ?? player.username),
    player.title && userBadge(player),
  );

/**
 * Returns a rating; a provisional one has a question mark.
 * @param {{ rating: number, provisional?: boolean, prov?: boolean }} player
 * @returns {string}
 */
export const ratingText = ({ rating, provisional, prov }) =>
  `${rating}${provisional || prov ? "?" : ""}`;

/**
 * Returns a rating difference with its sign. It has the color of text, because red is for refusals
 * and low time, and a rating that settles changes by hundreds.
 * @param {number | null | undefined} diff
 */
export const ratingDiffText = (diff) =>
  typeof diff === "number" &&
  h("span", { class: "num" }, `${diff < 0 ? "−" : "+"}${Math.abs(diff)}`);

/**
 * Returns title, name and rating of a player.
 * @param {Player} player
 * @returns {string}
 */
export const playerText = ({ name, rating, provisional, guest, title }) =>
  `${title ? `${title} ` : ""}${name} ${guest ? t("card.guest") : rating}${provisional && !guest ? "?" : ""}`;

/**
 * Returns the name of the player who waits for an opponent: the creator, or the player in one of
 * two free seats.
 * @param {Challenge} challenge
 * @returns {string}
 */
export const waitingPlayerName = ({ challenger, seats }) =>
  (challenger ?? seats?.first ?? seats?.second)?.name ?? "";
