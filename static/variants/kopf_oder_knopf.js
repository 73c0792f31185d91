// Appearance of Kopf oder Knopf: buttons with as many holes as the cell beneath, one to four. Used
// by variants/index.js only.
import { s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * Centers of the holes, by their number.
 * @type {Record<string, number[][]>}
 */
const HOLES = {
  1: [[0, 0]],
  2: [
    [-10, 0],
    [10, 0],
  ],
  3: [
    [0, -11],
    [-10.5, 8],
    [10.5, 8],
  ],
  4: [
    [-10, -10],
    [10, -10],
    [-10, 10],
    [10, 10],
  ],
};

/**
 * @param {string | number} mark  number of holes
 * @param {string} name
 * @param {number} r
 */
const holes = (mark, name, r) =>
  HOLES[mark].map(([cx, cy]) => s("circle", { class: name, cx, cy, r }));

/** Edge of a scalloped button: twelve arcs. */
const scallops = (() => {
  const count = 12;
  const point = (/** @type {number} */ at, /** @type {number} */ r) =>
    [r * Math.cos((at * Math.PI) / count), r * Math.sin((at * Math.PI) / count)]
      .map((value) => value.toFixed(1))
      .join(" ");
  const arcs = Array.from(
    { length: count },
    (_, at) => `Q${point(2 * at + 1, 45)} ${point(2 * at + 2, 34.5)}`,
  );
  return `M${point(0, 34.5)}${arcs.join("")}Z`;
})();

/**
 * @param {string} token  `r` or `b`
 * @param {string | number} mark
 */
const button = (token, mark) => [
  s("circle", { class: "piece-shadow", cy: 4, r: 38 }),
  token === "r"
    ? s("circle", { class: "piece-button-red", r: 38 })
    : s("path", { class: "piece-button-blue", d: scallops }),
  s("circle", { class: `piece-dip-${token === "r" ? "red" : "blue"}`, r: token === "r" ? 26 : 23 }),
  ...holes(mark, "piece-hole", 5.8),
];

/**
 * Buttons on unbleached linen: red ones are round, blue ones scalloped. The cloth is visible
 * through the holes.
 * @type {PieceSet}
 */
export const kopfOderKnopf = {
  ground: ({ mark }) => [
    s("rect", { class: "board-cloth", x: -50, y: -50, width: 100, height: 100 }),
    ...holes(mark, "board-eyelet", 5.4),
  ],
  // Running stitch between the cells.
  backdrop: ({ cols, rows }, { frame }) => {
    const across = Array.from(
      { length: rows - 1 },
      (_, at) => `M${frame} ${frame + 100 * (at + 1)}h${100 * cols}`,
    );
    const down = Array.from(
      { length: cols - 1 },
      (_, at) => `M${frame + 100 * (at + 1)} ${frame}v${100 * rows}`,
    );
    return [s("path", { class: "board-stitches", d: [...across, ...down].join("") })];
  },
  piece: (token, mark) => (token === "." ? null : s("g", {}, ...button(token, mark))),
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ r: "first", b: "second" })[token] ?? null,
  keepsReadable: () => false,
  keepsGround: true,
  captureTiming: "first",
  sound: "linen",
  count: ({ extras, options }) => ({
    phrase: "count.takenOf",
    values: extras.split(":").map(Number),
    of: Number(options.target),
  }),
  describe: (token, mark) => {
    const under = t("cell.holes", { n: Number(mark) });
    return token === "."
      ? `${t("cell.empty")}, ${under}`
      : `${t(token === "r" ? "cell.redButton" : "cell.blueButton")}, ${under}`;
  },
  sampleCells: [
    ".,.,.,.,.,.,.,.,r,.",
    ".,b,r,b,r,b,r,b,r,.",
    ".,r,.,.,b,.,.,.,b,.",
    ".,b,.,.,.,.,.,.,.,.",
    ".,r,.,.,.,.,.,.,b,.",
    ".,.,.,.,.,.,.,.,r,.",
    ".,r,.,.,.,.,.,.,.,.",
    ".,b,.,.,.,.,.,.,.,.",
    "r,r,.,.,b,r,b,r,b,.",
    ".,.,.,.,.,.,.,.,b,.",
  ].join("/"),
  icon: (side) => ({ view: "-48 -46 96 96", nodes: button(side === "first" ? "r" : "b", 4) }),
};
