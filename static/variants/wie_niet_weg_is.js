// Appearance of Wie niet weg is: two-sided pieces that are turned over.
import { s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const STONES = 8;
const GOAL = 7;
const NOTCHES = Array.from({ length: 12 }, (_, at) => {
  const angle = (at * Math.PI) / 6;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  return `M${(33 * x).toFixed(1)} ${(33 * y).toFixed(1)}L${(24 * x).toFixed(1)} ${(24 * y).toFixed(1)}`;
}).join("");

/**
 * @param {string} token
 * @returns {Node[]}
 */
const stone = (token) => {
  const side = token.toLowerCase();
  const color = side === "w" ? "white" : "red";
  return /** @type {Node[]} */ (
    [
      s("ellipse", { class: "piece-shadow", cy: 9, rx: 36, ry: 34 }),
      s("circle", { class: `piece-rim-${color}`, cy: 4, r: 35 }),
      s("circle", { class: `piece-face-${color}`, r: 35 }),
      side === "r" && s("path", { class: "piece-notches", d: NOTCHES }),
      token === side
        ? s("path", { class: `piece-glint piece-glint-${color}`, d: "M-23-12C-18-20-12-24-5-25" })
        : s("circle", { class: `piece-circle-${color}`, r: 15 }),
    ].filter(Boolean)
  );
};

/**
 * Parses the extras: two pairs of numbers, by side.
 * @param {string} extras
 */
const pairs = (extras) => extras.split(" ").map((pair) => pair.split(":").map(Number));

/**
 * Pieces on dark tiles. White is smooth, red has a notched edge; a ring marks the side with the
 * circle.
 * @type {PieceSet}
 */
export const wieNietWegIs = {
  ground: () => [
    s("rect", { class: "board-square-edge", x: -46, y: -42, width: 92, height: 92, rx: 12 }),
    s("rect", { class: "board-square", x: -46, y: -46, width: 92, height: 92, rx: 12 }),
  ],
  piece: (token) => (token === "." ? null : s("g", {}, ...stone(token))),
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ w: "first", r: "second" })[token.toLowerCase()] ?? null,
  keepsReadable: () => false,
  arcs: true,
  captureTiming: "passed",
  sound: "tile",
  isTurnedOver: (before, now) => before !== now,
  count: ({ extras }) => {
    const [hand, off] = pairs(extras);
    // In the placement phase each player places the opponent's pieces.
    if (hand[0] + hand[1])
      return { phrase: "count.toPlace", values: [hand[1], hand[0]], slots: STONES, others: true };
    return { phrase: "count.off", values: off, of: GOAL, slots: GOAL };
  },
  instruction: ({ extras, side }) =>
    pairs(extras)[0].some(Boolean)
      ? t(side === "first" ? "hint.placeRed" : "hint.placeWhite")
      : null,
  moveText: (u, before, trace) => (trace?.removed?.length ? `${u} ⊖${trace.removed.length}` : u),
  describe: (token) => {
    if (token === ".") return t("cell.empty");
    return t(token === token.toLowerCase() ? "cell.down" : "cell.up", {
      side: t(token.toLowerCase() === "w" ? "side.white" : "side.red"),
    });
  },
  sampleCells: "#,#,.,w,#,#/#,r,.,.,w,#/r,w,.,.,r,./R,w,.,.,r,./#,r,W,W,.,#/#,#,.,.,#,#",
  icon: (side) => ({
    view: "-40 -40 80 84",
    nodes: stone({ first: "w", second: "r" }[/** @type {Side} */ (side)] ?? "R"),
  }),
};
