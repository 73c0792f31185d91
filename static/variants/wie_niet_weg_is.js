// Appearance of Wie niet weg is: two-sided pieces that are turned over.
import { s, symbol } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const STONES = 8;
const GOAL = 7;

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
  ground: () => [symbol("wieNietWegIs-cell")],
  piece: (token) => (token === "." ? null : s("g", {}, symbol(`wieNietWegIs-${token}`))),
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
  describe: (token) => {
    if (token === ".") return t("cell.empty");
    return t(token === token.toLowerCase() ? "cell.down" : "cell.up", {
      side: t(token.toLowerCase() === "w" ? "side.white" : "side.red"),
    });
  },
  sampleCells: "#,#,.,w,#,#/#,r,.,.,w,#/r,w,.,.,r,./R,w,.,.,r,./#,r,W,W,.,#/#,#,.,.,#,#",
  icon: (side) => ({
    view: "-40 -40 80 84",
    nodes: [
      symbol(`wieNietWegIs-${{ first: "w", second: "r" }[/** @type {Side} */ (side)] ?? "R"}`),
    ],
  }),
};
