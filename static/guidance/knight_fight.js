// Guidance of Knight Fight, in numbers and points instead of cells.
import { cellCoordinates, cellName, cellsOf } from "../model/notation.js";
import { sideName, t } from "../lib/i18n.js";

/** Row on which the knight of a side begins. */
const START_ROWS = { first: 1, second: 10 };

/** Text before the numbers that a move wipes, in the move list. */
const WIPED = "⊖";

/**
 * Returns whether the knight of a side is not on the board yet.
 * @type {NonNullable<Guidance["isPlacing"]>}
 */
const isPlacing = ({ cells, side }) => !cells.includes(side === "first" ? "w" : "b");

/**
 * Returns the numbers on cells that a move wipes.
 * @param {Partial<Trace>} trace
 * @param {Tokens} tokens
 */
const wipedNumbers = ({ removed = [] }, tokens) => removed.map((cell) => tokens.get(cell));

/**
 * Returns the number on which a move lands, undefined if it is not certain.
 * @param {Partial<Trace>} trace
 * @param {Tokens} tokens
 */
const landingNumber = ({ paths = [] }, tokens) => {
  const cell = paths[0]?.at(-1);
  return cell && tokens.get(cell);
};

/** Leaps of a knight: columns and rows. */
const LEAPS = [
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
];

/** Knights and the indices of their sides. */
const KNIGHTS = ["w", "b"];

/**
 * Returns the cells with a number that a knight attacks.
 * @param {string} cell
 * @param {Tokens} tokens
 */
const attackedCells = (cell, tokens) => {
  const [col, row] = cellCoordinates(cell);
  return LEAPS.map(([right, up]) => cellName(col + right, row + up)).filter((name) =>
    /^\d\d$/.test(tokens.get(name)),
  );
};

/** @type {Guidance} */
export const knightFight = {
  isPlacing,
  prompt: ({ cells, side, clicks }) => {
    if (clicks.chosen.length) return [t("hint.wipeDouble"), ""];
    if (isPlacing({ cells, side, extras: "" }))
      return ["", t("prompt.knightFight.place", { row: START_ROWS[side] })];
    return ["", t("prompt.knightFight.first")];
  },
  finish: () => t("hint.leaveDouble"),
  preview: ({ tokens }, trace) => {
    const number = landingNumber(trace, tokens);
    if (!number) return "";
    const numbers = wipedNumbers(trace, tokens).join(", ");
    const points = String(Number(number));
    return numbers
      ? t("preview.knightFight.wipes", { points, numbers })
      : t("preview.knightFight.scores", { points });
  },
  report: ({ trace, before, by, sides }) => {
    const number = landingNumber(trace, before);
    if (!number) return "";
    const side = sideName({ sides }, by);
    const wiped = wipedNumbers(trace, before).join(", ");
    return wiped
      ? t("event.knightFight.wiped", { side, number, wiped })
      : t("event.knightFight.took", { side, number });
  },
  inspect: ({ cell, tokens, sides }) => {
    const knight = KNIGHTS.indexOf(tokens.get(cell));
    if (knight < 0) return null;
    const attacked = attackedCells(cell, tokens);
    const side = sideName({ sides }, knight ? "second" : "first");
    const numbers = attacked.map((name) => tokens.get(name)).join(", ");
    const text = numbers
      ? t("inspect.attacks", { side, numbers })
      : t("inspect.attacksNone", { side });
    return { text, attacked, opensOnHover: true };
  },
  gain: (trace, before) => {
    const number = landingNumber(trace, before);
    const cell = trace.paths[0]?.at(-1);
    return number && cell ? { cell, text: `+${Number(number)}` } : null;
  },
  lead: ([first, second]) =>
    [first - second, second - first].map((n) => (n > 0 ? t("count.ahead", { n }) : "")),
  removedText: (cells, before) =>
    t("description.wipes", { cells: cells.map((cell) => before?.get(cell) ?? cell).join(", ") }),
  // The notation contains only cells; the move list adds the numbers.
  listText: (u, { trace, before }) => {
    const [to] = cellsOf(u);
    const wiped = trace ? wipedNumbers(trace, before) : [];
    return [to, "·", before.get(to), ...wiped.map((number) => `${WIPED}${number}`)].join(" ");
  },
};
