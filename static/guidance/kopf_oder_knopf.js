// Guidance of Kopf oder Knopf: penalties, strikes of pairs, and moves by the holes under a button.
import { strikesOf } from "./kopf-strikes.js";
import { pieceSetOf } from "../variants/index.js";
import { otherSide } from "../model/notation.js";
import { sideName, t } from "../lib/i18n.js";

/** Holes with which a button may go any shorter distance as well. */
const FREE_HOLES = 4;

/** Text before the number of struck buttons, in the move list. */
const STRUCK = "⊖";

/** @param {Iterable<string>} cells */
const list = (cells) => [...cells].join(", ");

/**
 * Returns the struck cells, each once.
 * @param {Pick<Trace, "strikes">} trace
 */
const struckCells = ({ strikes = [] }) => [
  ...new Set(strikes.map((cells) => /** @type {string} */ (cells.at(-1)))),
];

/**
 * Returns the buttons taken as penalties.
 * @param {Partial<Trace>} trace
 */
const takenCells = (trace) => {
  const struck = struckCells(trace);
  return (trace.removed ?? []).filter((cell) => !struck.includes(cell));
};

/**
 * Returns the pair of all strikes as text, null if several pairs strike. A line names the nearer
 * button first, so both ends of a pair yield the same text only after sorting.
 * @param {Pick<Trace, "strikes">} trace
 */
const strikingPair = ({ strikes = [] }) => {
  const pairs = new Set(strikes.map((cells) => cells.slice(0, 2).sort().join("–")));
  return pairs.size === 1 ? [...pairs][0] : null;
};

/**
 * Returns the name of the side whose buttons are taken and struck.
 * @param {Stage} stage
 */
const opponentName = ({ side, sides }) => sideName({ sides }, otherSide(side));

/**
 * Returns whether one penalty more wins the game.
 * @param {Stage} stage
 */
const isLast = ({ extras, side, options }) => {
  const taken = extras.split(":")[side === "first" ? 0 : 1];
  return Number(taken) + 1 >= Number(options.target);
};

/**
 * Returns the sentence about the groups from which a button may be taken.
 * @param {Stage} stage
 * @param {string[][]} groups
 */
const crowdText = (stage, groups) => {
  const them = opponentName(stage);
  if (isLast(stage)) return t("prompt.kopfOderKnopf.last", { side: them, n: groups[0].length });
  return groups.length > 1
    ? t("prompt.kopfOderKnopf.crowds", { side: them })
    : t("prompt.kopfOderKnopf.crowd", { side: them, n: groups[0].length });
};

/**
 * Returns the sentence about the strikes of a preview. That about penalties has named the side.
 * @param {Stage} stage
 * @param {Partial<Trace>} trace
 */
const strikesText = (stage, trace) => {
  const [side, cells] = [opponentName(stage), list(struckCells(trace))];
  const pair = strikingPair(trace);
  if (pair && takenCells(trace).length) return t("preview.kopfOderKnopf.then", { pair, cells });
  return pair
    ? t("preview.kopfOderKnopf.strike", { pair, side, cells })
    : t("hint.strikes", { side, cells });
};

/**
 * Returns the sentence about the penalties of a preview.
 * @param {Stage} stage
 * @param {string[]} cells
 */
const takesText = (stage, cells) =>
  t("preview.kopfOderKnopf.takes", { side: opponentName(stage), cells: list(cells) });

/**
 * Returns the sentence about penalties of a move.
 * @param {MoveChange} change
 */
const penaltyReport = ({ trace, by, you, sides }) => {
  const taken = takenCells(trace);
  const side = sideName({ sides }, by);
  if (taken.length > 1) return t("event.kopfOderKnopf.penalties", { side, cells: list(taken) });
  const [cell] = taken;
  const victim = otherSide(by);
  const n = trace.groups?.find((group) => group.includes(cell))?.length ?? 0;
  return victim === you
    ? t("event.kopfOderKnopf.penaltyYou", { cell, n })
    : t("event.kopfOderKnopf.penalty", { cell, n, side: sideName({ sides }, victim) });
};

/**
 * Returns the sentence about the strikes of a move.
 * @param {MoveChange} change
 */
const strikesReport = ({ trace, by, sides }) => {
  const [side, cells, pair] = [
    sideName({ sides }, by),
    list(struckCells(trace)),
    strikingPair(trace),
  ];
  return pair
    ? t("event.kopfOderKnopf.strike", { side, pair, cells })
    : t("event.kopfOderKnopf.strikes", { side, cells });
};

/**
 * Returns the button that is chosen to move, if any.
 * @param {Stage} stage
 */
const chosenButton = ({ clicks, tokens, side }) => {
  const { owner } = pieceSetOf("kopfOderKnopf");
  return clicks.chosen.find((cell) => owner(tokens.get(cell)) === side);
};

/**
 * Colors of the buttons, and the sides of their owners.
 * @type {Record<string, Side>}
 */
const OWNERS = { r: "first", b: "second" };

/** @type {Guidance} */
export const kopfOderKnopf = {
  prompt: (stage) => {
    const button = chosenButton(stage);
    if (button) {
      const n = Number(stage.markOf(button));
      const penalties = stage.clicks.chosen.filter((cell) => cell !== button);
      return [
        penalties.length ? takesText(stage, penalties) : t("prompt.from", { cell: button }),
        n === FREE_HOLES ? t("prompt.kopfOderKnopf.four") : t("prompt.kopfOderKnopf.button", { n }),
      ];
    }
    return stage.clicks.chosen.length
      ? [t("hint.next"), ""]
      : ["", t("prompt.kopfOderKnopf.first")];
  },
  finish: () => t("prompt.kopfOderKnopf.also"),
  preview: (stage, trace) => {
    // Penalties and strikes have been told; the reach of the button is what matters now.
    if (chosenButton(stage) && !stage.clicks.completeMove()) return "";
    const taken = takenCells(trace);
    const { groups = [], strikes = [] } = trace;
    const isAskingPenalty = groups.length > 0 && stage.clicks.chosen.length === 0;
    return [
      taken.length > 0 && takesText(stage, taken),
      strikes.length > 0 && strikesText(stage, trace),
      isAskingPenalty && !taken.length && crowdText(stage, groups),
    ]
      .filter(Boolean)
      .join(" ");
  },
  report: (change) =>
    [
      change.trace.strikes?.length && strikesReport(change),
      takenCells(change.trace).length > 0 && penaltyReport(change),
    ]
      .filter(Boolean)
      .join(" "),
  inspect: ({ cell, tokens, markOf, sides }) => {
    const color = tokens.get(cell);
    const owner = OWNERS[color];
    if (!owner) return null;
    const strikes = strikesOf(tokens, markOf, color === "r" ? "b" : "r").filter(
      (line) => line.at(-1) === cell,
    );
    const side = sideName({ sides }, otherSide(owner));
    const pairs = strikes.map((line) => line.slice(0, 2).sort().join("–")).join(", ");
    const text = pairs
      ? t("inspect.threatened", { side, pairs, cell })
      : t("inspect.threatenedNone", { side, cell });
    return { text, strikes, opensOnHover: true };
  },
  listText: (u, { trace }) => {
    const struck = trace ? struckCells(trace) : [];
    return struck.length ? `${u} ${STRUCK}${struck.length}` : u;
  },
};
