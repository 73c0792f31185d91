// Appearance of Kopf oder Knopf: buttons with as many holes as the cell beneath, one to four. Used
// by variants/index.js only.
import { s, symbol } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * @param {string} token  `r` or `b`
 * @param {string | number} mark  number of holes
 */
const button = (token, mark) => [
  symbol(`kopfOderKnopf-${token}`),
  symbol(`kopfOderKnopf-holes-${mark}`),
];

/**
 * Buttons on unbleached linen: red ones are round, blue ones scalloped. The cloth is visible
 * through the holes.
 * @type {PieceSet}
 */
export const kopfOderKnopf = {
  ground: ({ mark }) => [symbol("kopfOderKnopf-cell"), symbol(`kopfOderKnopf-eyelets-${mark}`)],
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
