// A challenge with two free seats: who has taken which, and a link for each that is free.
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { linkField } from "./links.js";
import { personText } from "./terms.js";
import { say } from "./words.js";

/** @type {Side[]} */
const SEATS = ["first", "second"];

/**
 * The seat whose link this page was opened with, if any.
 * @param {Challenge} challenge
 * @returns {Side | null}
 */
const seatHere = ({ urlFirst, urlSecond }) => SEATS[[urlFirst, urlSecond].indexOf(location.href)] ?? null;

/**
 * Both seats; `take(seat)` is asked for where the viewer may sit down.
 * @param {Challenge} challenge
 * @param {Catalogue} catalogue
 * @param {Account} me
 * @param {(seat: Side, button: HTMLButtonElement) => unknown} take
 */
export const seatRows = (challenge, catalogue, me, take) => {
  const { seats = { first: null, second: null }, choices, eligible } = challenge;
  const here = seatHere(challenge);
  const variant = choices.variants.length === 1 ? catalogue.get(challenge.variant.key) : null;
  const seated = SEATS.some((seat) => seats[seat]?.id === me.id);
  return SEATS.map((seat, at) => {
    const name = variant ? say(`side.${variant.sides[at]}`) : say(`seat.${seat}`);
    const taken = seats[seat];
    const may = !taken && !seated && eligible && (!here || here === seat);
    const who = !taken ? say("seat.free") : taken.id === me.id ? say("seat.you") : personText(taken);
    const button = may && h("button", { class: "btn", type: "button", "data-seat": seat, onclick: (event) => take(seat, event.currentTarget) }, say("seat.take"));
    return h("div", { class: "seat" }, h("div", { class: "seat-row" }, variant && h("span", { class: "glyph" }, icon(variant.key, seat)), h("span", {}, h("b", {}, name), h("span", { class: "soft small num" }, who)), button),
      !taken && !here && linkField((seat === "first" ? challenge.urlFirst : challenge.urlSecond) ?? challenge.url, say("seat.link", { side: name })));
  });
};
