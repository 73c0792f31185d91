// What a challenge is about, at the top of its own page.
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { rangeBar } from "./range-bar.js";
import { detailsOf, personText, timeText } from "./terms.js";
import { say, variantName } from "./words.js";

/**
 * The games of a challenge, in words.
 * @param {Challenge} challenge
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export const gamesText = ({ choices: { variants } }, catalogue) => variants.map(({ variant: { key } }) => variantName(catalogue.get(key))).join(", ");

/** @type {(challenge: Challenge, own: boolean) => string} */
const headingOf = ({ kind, challenger, destUser, direction }, own) => {
  const name = challenger?.name;
  if (kind === "open") return say("wait.open");
  if (own) return say("wait.yours");
  return destUser && direction !== "in" ? say("wait.others", { name, other: destUser.name }) : say("wait.theirs", { name });
};

/**
 * Glyphs, heading, terms and range; `you` is the viewer's rating.
 * @param {Challenge} challenge
 * @param {Catalogue} catalogue
 * @param {number} you
 * @param {boolean} own
 */
export const challengeHead = (challenge, catalogue, you, own) => {
  const { choices: { variants, clocks }, challenger, eligible, rated, standing } = challenge;
  const details = detailsOf(challenge, catalogue.get(challenge.variant.key), own);
  const terms = [clocks.map(({ timeControl }) => timeText(timeControl)).join(" / "), say(rated ? "card.rated" : "card.casual"), ...details, standing && say("kind.standing")].filter(Boolean);
  return [h("span", { class: "glyphs" }, ...variants.map(({ variant: { key } }) => h("span", { class: "glyph" }, icon(key)))),
    h("h1", {}, headingOf(challenge, own)),
    h("p", {}, h("b", {}, gamesText(challenge, catalogue)), h("span", { class: "soft num" }, terms.join(" · ")), !own && challenger && h("span", { class: "soft small num" }, personText(challenger))),
    rangeBar(challenge.ratingRange, you, own || eligible)];
};
