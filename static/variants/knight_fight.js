// Appearance of Knight Fight: knights on numbers that are wiped off.
import { s, symbol } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @param {string} token */
const isNumber = (token) => /^\d\d$/.test(token);
/** @param {string} token */
const isKnight = (token) => token === "w" || token === "b";

/** @param {string} number */
const tablet = (number) => {
  const isDouble = number[0] === number[1];
  return [
    symbol(`knightFight-${isDouble ? "double" : "tablet"}`),
    s("text", { class: isDouble ? "board-number is-double" : "board-number", y: 14 }, number),
  ];
};

/** @param {string} number */
const wiped = (number) => [
  s("text", { class: "board-number-wiped", y: 14 }, number),
  symbol("knightFight-sweep"),
];

/**
 * Slate tablets with chalk numbers; a wiped number leaves an empty recess.
 * @type {PieceSet}
 */
export const knightFight = {
  ground: ({ token, before, landed }) => {
    const bed = symbol("knightFight-cell");
    if (isNumber(token)) return [bed, ...tablet(token)];
    return before && isNumber(before) && !landed ? [bed, ...wiped(before)] : [bed];
  },
  piece: (token) => (isKnight(token) ? s("g", {}, symbol(`knightFight-${token}`)) : null),
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ w: "first", b: "second" })[token] ?? null,
  keepsReadable: isNumber,
  count: ({ extras }) => {
    const scores = extras.split(":").map(Number);
    return { phrase: "count.points", values: scores.length === 2 ? scores : [0, 0] };
  },
  arcs: true,
  sweep: () => [symbol("knightFight-sweep")],
  sound: "slate",
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
  icon: (side) => ({
    view: "-50 -50 100 100",
    nodes: [symbol(`knightFight-${side === "second" ? "b" : "w"}`)],
  }),
};
