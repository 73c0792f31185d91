// Somebody's name wherever it stands: with a link, a dot when here, and what kind of player it is.
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/**
 * Guests are found by their ids; their names are not theirs alone.
 * @param {{ id: string }} player
 */
export const isGuest = ({ id }) => id.startsWith("~");

/**
 * What a player is called in an address.
 * @param {Person} player
 * @returns {string}
 */
export const handleOf = ({ id, name, username }) =>
  encodeURIComponent(isGuest({ id }) ? id : (name ?? username ?? id));

/**
 * The address of a player's page.
 * @param {Person} player
 * @returns {string}
 */
export const pathOf = (player) => `/@/${handleOf(player)}`;

/**
 * A dot for somebody who is here just now.
 * @param {boolean | undefined} online
 */
export const dot = (online) =>
  online &&
  h(
    "span",
    { class: "dot", title: say("player.online") },
    h("span", { class: "unseen" }, say("player.online")),
  );

/**
 * What is said of a program: BOT, with the level of one of the house. Nothing of people.
 * @param {{ title?: string, level?: number }} player
 */
export const botOf = ({ title, level }) =>
  title &&
  h(
    "span",
    { class: "kind bot num", title: level ? say("computer.is", { n: level }) : null },
    level ? `${title} ${level}` : title,
  );

/**
 * What stands beside a name: BOT, or guest.
 * @param {Person} player
 */
export const kindOf = (player) =>
  botOf(player) || (isGuest(player) && h("span", { class: "kind" }, say("card.guest")));

/**
 * A name that leads to the player's page.
 * @param {Person} player
 */
export const nameLink = (player) =>
  h(
    "span",
    { class: "person" },
    dot(player.online),
    h("a", { href: pathOf(player) }, player.name ?? player.username),
    player.title && kindOf(player),
  );

/**
 * A rating that may still be settling.
 * @param {{ rating: number, provisional?: boolean, prov?: boolean }} player
 * @returns {string}
 */
export const ratingText = ({ rating, provisional, prov }) =>
  `${rating}${provisional || prov ? "?" : ""}`;

/**
 * A difference with its sign, coloured by it.
 * @param {number | null | undefined} diff
 */
export const diffOf = (diff) =>
  typeof diff === "number" &&
  h(
    "span",
    { class: diff < 0 ? "num down" : "num up" },
    `${diff < 0 ? "−" : "+"}${Math.abs(diff)}`,
  );

/**
 * Somebody with their rating.
 * @param {Player} player
 * @returns {string}
 */
export const personText = ({ name, rating, provisional, guest, title }) =>
  `${title ? `${title} ` : ""}${name} ${guest ? say("card.guest") : rating}${provisional && !guest ? "?" : ""}`;

/**
 * Who waits for an opponent: the maker, or whoever has one of two seats.
 * @param {Challenge} challenge
 * @returns {string}
 */
export const waiterName = ({ challenger, seats }) =>
  (challenger ?? seats?.first ?? seats?.second)?.name ?? "";

/**
 * Whether a program plays.
 * @param {{ bot?: boolean, level?: number, title?: string }} player
 */
const isProgram = ({ bot, level, title }) => Boolean(bot || level || title);

/**
 * The people in a game, by their ids; none of them if two programs play.
 * @param {{ first: any, second: any }} game
 * @returns {string[]}
 */
export const peopleIn = ({ first, second }) =>
  [first, second].filter((player) => !isProgram(player)).map(({ id }) => id);
