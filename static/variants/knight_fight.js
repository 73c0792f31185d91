// Appearance of Knight Fight: knights on numbers that are wiped off.
import { s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const BODY =
  "M-24 31C-26 15-10 8-7-4C-13 1-20 3-25 10C-29 12-34 9-34 3C-31-6-26-12-23-19C-19-27-12-31-4-32L3-43L9-31C24-27 31-8 27 31Z";
/** @type {Record<string, string>} */
const MANE = { w: "M13-20l10-3M18-8l9-1M20 5l8 1M20 18l8 1", b: "M10-26C20-19 23-2 20 26" };

/**
 * Colors of the tokens, as in the class names.
 * @type {Record<string, string>}
 */
const COLORS = { w: "white", b: "black" };

/** @param {string} side  `w` or `b` */
const horse = (side) => [
  s("ellipse", { class: "piece-shadow", cx: 1, cy: 40, rx: 33, ry: 6 }),
  s("path", { class: `piece-knight-${COLORS[side]}`, d: BODY }),
  s("path", { class: `piece-mane piece-mane-${COLORS[side]}`, d: MANE[side] }),
  s("circle", { class: `piece-eye-${COLORS[side]}`, cx: -10, cy: -14, r: 3.6 }),
  s("rect", { class: `piece-knight-${COLORS[side]}`, x: -31, y: 28, width: 64, height: 12, rx: 5 }),
];

/** Path of the stroke that wipes a number. */
const SWEEP = "M-34 16C-18 14-4 4 8-2S26-6 36-18";

/** @param {string} token */
const isNumber = (token) => /^\d\d$/.test(token);
/** @param {string} token */
const isKnight = (token) => token === "w" || token === "b";

/**
 * @param {string} number
 * @returns {Node[]}
 */
const tablet = (number) => {
  const double = number[0] === number[1];
  return /** @type {Node[]} */ (
    [
      s("rect", {
        class: double ? "board-tablet-double" : "board-tablet",
        x: -46,
        y: -46,
        width: 92,
        height: 92,
        rx: 8,
      }),
      double &&
        s("rect", { class: "board-tablet-inner", x: -40, y: -40, width: 80, height: 80, rx: 5 }),
      s("text", { class: "board-number", y: 14 }, number),
    ].filter(Boolean)
  );
};

/** @param {string} number */
const wiped = (number) => [
  s("text", { class: "board-number-wiped", y: 14 }, number),
  s("path", { class: "board-wipe", d: SWEEP }),
];

/**
 * Slate tablets with chalk numbers; a wiped number leaves an empty recess.
 * @type {PieceSet}
 */
export const knightFight = {
  ground: ({ token, before, landed }) => {
    const bed = s("rect", { class: "board-recess", x: -50, y: -50, width: 100, height: 100 });
    if (isNumber(token)) return [bed, ...tablet(token)];
    return before && isNumber(before) && !landed ? [bed, ...wiped(before)] : [bed];
  },
  piece: (token) => (isKnight(token) ? s("g", {}, ...horse(token)) : null),
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ w: "first", b: "second" })[token] ?? null,
  keepsReadable: isNumber,
  count: ({ extras }) => {
    const scores = extras.split(":").map(Number);
    return { phrase: "count.points", values: scores.length === 2 ? scores : [0, 0] };
  },
  instruction: ({ cells, side }) =>
    cells.includes(side === "first" ? "w" : "b") ? null : t("hint.placeKnight"),
  arcs: true,
  sweep: () => [s("path", { class: "board-wipe", d: SWEEP })],
  sound: "slate",
  removesKey: "hint.wipes",
  finishKey: "hint.leaveDouble",
  continueKey: "hint.wipeDouble",
  // The notation contains only the cell; the move list adds its number.
  moveText: (u, before) => {
    const [to] = /** @type {string[]} */ (u.match(/[a-z]\d+/g));
    return `${u} · ${tokenAt(before, to)}`;
  },
  describe: (token) => {
    if (token === "w") return t("cell.whiteKnight");
    if (token === "b") return t("cell.blackKnight");
    return token === "." ? t("cell.wiped") : token;
  },
  sampleCells: [
    "11,48,85,22,.,.,33,.,.,44",
    "81,18,55,92,29,66,03,40,77,14",
    "51,.,25,.,.,36,.,10,.,84",
    "21,58,.,.,.,.,43,w,17,54",
    "91,.,.,02,39,76,13,.,.,.",
    "61,.,.,72,09,.,.,20,57,.",
    "31,.,.,.,.,16,.,90,27,.",
    "01,.,75,12,.,.,b,.,.,34",
    "71,.,45,.,19,.,93,30,67,04",
    "41,.,15,52,.,.,63,00,.,.",
  ].join("/"),
  icon: (side) => ({ view: "-50 -50 100 100", nodes: horse(side === "second" ? "b" : "w") }),
};

/**
 * Returns the token of a cell in a cells text.
 * @param {string} cells
 * @param {string} cell
 */
const tokenAt = (cells, cell) => {
  const rows = cells.split("/");
  return rows[rows.length - Number(cell.slice(1))]?.split(",")[cell.charCodeAt(0) - 97] ?? "";
};
