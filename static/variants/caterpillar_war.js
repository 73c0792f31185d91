// Appearance of Caterpillar War: flat pieces that stack.
import { s, symbol } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const LIFT = 13;
const LIFT_MAX = 44;
const TAKEN_MAX = 15;

/**
 * Colors of the tokens, as in the class names.
 * @type {Record<string, string>}
 */
const COLORS = { w: "white", b: "black" };

/**
 * Returns the vertical distance between the pieces of a stack.
 * @param {number} height
 */
const liftOf = (height) => Math.min(LIFT, LIFT_MAX / (height - 1));

/**
 * Returns the parts of a piece or stack, from the bottom to the top.
 * @param {string} token  pieces from the bottom to the top
 * @returns {SVGElement[]}
 */
const stack = (token) => {
  const height = token.length;
  if (height === 1) return [symbol(`caterpillarWar-${token}`)];
  const last = token[height - 1];
  const lift = liftOf(height);
  const y = 2 - (height - 1) * lift;
  return [
    symbol("caterpillarWar-shadow"),
    ...[...token].map((side, at) => symbol(`caterpillarWar-side-${side}`, { y: 10 - at * lift })),
    symbol(`caterpillarWar-top-${last}`, { y }),
    s("text", { class: `piece-height is-${COLORS[last]}`, y: y + 12 }, String(height)),
  ];
};

/**
 * Flat pieces that stack: a stripe for each lower piece, the height on the top.
 * @type {PieceSet}
 */
export const caterpillarWar = {
  ground: ({ col, row }) => [symbol(`caterpillarWar-cell-${(col + row) % 2 ? "light" : "dark"}`)],
  piece: (token) => (token === "." ? null : s("g", {}, ...stack(token))),
  crawls: true,
  movingPart: (token) => /** @type {string} */ (token.at(-1)),
  remainder: (token) => token.slice(0, -1) || null,
  topHeight: (token) => (token.length > 1 ? (token.length - 1) * liftOf(token.length) - 6 : 0),
  sound: "wood",
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ w: "first", b: "second" })[
      /** @type {string} */ (token.at(-1))
    ] ?? null,
  keepsReadable: () => false,
  count: ({ cells }) => {
    const left = (/** @type {string} */ side) => cells.split(side).length - 1;
    return { phrase: "count.taken", values: [TAKEN_MAX - left("b"), TAKEN_MAX - left("w")] };
  },
  describe: (token) => {
    if (token === ".") return t("cell.empty");
    const names = [...token].map((side) => t(`cell.${side}`));
    return token.length === 1
      ? names[0]
      : t("cell.stack", { top: names.at(-1), n: token.length, stack: names.join(", ") });
  },
  sampleCells:
    "b,b,b,b,b,.,.,./.,.,.,b,.,.,.,./b,b,.,bb,.,.,.,./b,.,.,b,.,.,.,./.,.,.,b,.,.,.,w/.,.,.,ww,.,.,w,w/.,.,.,ww,.,w,w,w/.,.,.,w,.,.,.,.",
  icon: (side) => ({
    view: "-42 -50 84 98",
    nodes: stack({ first: "w", second: "b" }[/** @type {Side} */ (side)] ?? "wb"),
  }),
};
