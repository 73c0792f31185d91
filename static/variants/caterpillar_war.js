// Appearance of Caterpillar War: flat pieces that stack.
import { s } from "../lib/dom.js";
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
 * @param {string} side  `w` or `b`
 * @param {number} y
 */
const topPiece = (side, y) => {
  const face = s("circle", { class: `piece-top-${COLORS[side]}`, cy: y, r: 36 });
  if (side === "w") return [face, s("circle", { class: "piece-ring-white", cy: y, r: 27 })];
  return [face, s("circle", { class: "piece-groove-black", cy: y, r: 27, "stroke-width": 2 })];
};

/** @param {string} side */
const singlePiece = (side) => {
  const face = s("circle", { class: `piece-top-${COLORS[side]}`, cy: -4, r: 36 });
  return side === "w"
    ? [
        face,
        s("circle", { class: "piece-ring-white", cy: -4, r: 27 }),
        s("circle", { class: "piece-ring-white", cy: -4, r: 17 }),
      ]
    : [
        face,
        s("path", {
          class: "piece-groove-black",
          d: "M-16 -22q10 18 0 36M0 -27v46M16 -22q-10 18 0 36",
        }),
      ];
};

/** @param {string} token  pieces from the bottom to the top */
const stack = (token) => {
  const height = token.length;
  const last = token[height - 1];
  const shadow = s("ellipse", { class: "piece-shadow", cy: 9, rx: 37, ry: 35 });
  if (height === 1)
    return [
      shadow,
      s("circle", { class: `piece-edge-${COLORS[token]}`, cy: 4, r: 36 }),
      ...singlePiece(token),
    ];
  const lift = liftOf(height);
  const base = 6;
  const beneath = [...token].map((side, at) =>
    s("circle", { class: `piece-edge-${COLORS[side]}`, cy: base - at * lift + 4, r: 36 }),
  );
  const y = base - (height - 1) * lift - 4;
  return [
    shadow,
    ...beneath,
    ...topPiece(last, y),
    s("text", { class: `piece-height is-${COLORS[last]}`, y: y + 12 }, String(height)),
  ];
};

/**
 * Flat pieces that stack: a stripe for each lower piece, the height on the top.
 * @type {PieceSet}
 */
export const caterpillarWar = {
  ground: ({ col, row }) => [
    s("rect", {
      class: (col + row) % 2 ? "board-square-light" : "board-square-dark",
      x: -48.8,
      y: -48.8,
      width: 97.6,
      height: 97.6,
      rx: 7,
    }),
  ],
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
