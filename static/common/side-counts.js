// Counts of points or pieces in the bars of both players. Used by the pages of games: on the
// server, and on one device.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @type {Side[]} */
const SIDES = ["first", "second"];

/** Creates the element of a count in the bar of a player. */
export const sideCount = () =>
  h(
    "div",
    { class: "game-player-count num" },
    h("span", { class: "game-player-slots", "aria-hidden": "true" }),
    h("span", {}),
  );

/**
 * Returns the slot of a bar at a distance from the first empty one, null if it is not visible.
 * @param {HTMLElement} bar
 * @param {number} at negative for filled slots
 * @returns {HTMLElement | null}
 */
export const slotAt = (bar, at) => {
  const slots = /** @type {HTMLElement[]} */ ([...bar.querySelectorAll(".game-player-slots i")]);
  const filled = slots.filter((slot) => slot.classList.contains("is-full")).length;
  const slot = slots[filled + at];
  return slot?.checkVisibility() ? slot : null;
};

/**
 * Builds the count of the side that is ahead: as a text, and in numbers where a clock leaves no
 * room.
 * @param {string} count
 * @param {string} lead
 * @param {number[]} values
 * @param {number} at index of the side
 */
const countWithLead = (count, lead, values, at) => [
  h("span", { class: "game-player-count-text" }, `${count} · ${lead}`),
  h(
    "span",
    { class: "game-player-count-short", "aria-hidden": "true" },
    `${values[at]} (+${values[at] - values[1 - at]})`,
  ),
];

/**
 * Draws the counts of both sides. Returns the side that has already won while the game continues
 * for points (Hogga), null otherwise.
 * @param {Record<Side, HTMLElement>} bars
 * @param {SideCount} count
 * @param {string[]} sides
 * @param {Guidance} guidance
 */
export const drawSideCounts = (bars, count, sides, guidance) => {
  const { phrase, values, of, slots = 0, others = false, more } = count;
  const leads = guidance.lead?.(values) ?? [];
  SIDES.forEach((side, at) => {
    const [slotRow, text] = bars[side].querySelector(".game-player-count").children;
    const extra = more?.at === at ? ` · ${t(more.phrase, { n: more.n })}` : "";
    const countText = t(phrase, { n: values[at], of }) + extra;
    text.replaceChildren(
      ...(leads[at] ? countWithLead(countText, leads[at], values, at) : [countText]),
    );
    text.classList.toggle("visually-hidden", slots > 0);
    slotRow.replaceChildren(
      ...Array.from({ length: slots }, (_, slot) =>
        h("i", { class: slot < values[at] ? "is-full" : undefined }),
      ),
    );
    slotRow.dataset.side = sides[others ? 1 - at : at];
  });
  return more ? SIDES[more.at] : null;
};
