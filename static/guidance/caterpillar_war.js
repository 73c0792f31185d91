// Guidance of Caterpillar War: steps, and lines of stones that crawl over a tower.
import { cellCoordinates, otherSide } from "../model/notation.js";
import { sideName, t } from "../lib/i18n.js";

/** A crawl names its tail, its tower and its end; a step names two cells. */
const CRAWL_CELLS = 3;

/**
 * Returns the number of squares between two cells of a line.
 * @param {string} one
 * @param {string} other
 */
const distance = (one, other) =>
  Math.max(
    ...cellCoordinates(one).map((value, axis) => Math.abs(value - cellCoordinates(other)[axis])),
  );

/** @param {string[]} cells */
const list = (cells) => cells.join(", ");

/**
 * Returns the sentences after the first click, by what can follow it.
 * @param {Stage} stage
 * @returns {[bold: string, plain: string]}
 */
const afterFirst = ({ clicks }) => {
  const [cell] = clicks.chosen;
  const lengths = new Set(clicks.candidates().map(({ cells }) => cells.length));
  if (!lengths.has(CRAWL_CELLS))
    return [t("prompt.from", { cell }), t("prompt.caterpillarWar.step")];
  return [
    t("prompt.caterpillarWar.tail", { cell }),
    t(lengths.size > 1 ? "prompt.caterpillarWar.towerOrStep" : "prompt.caterpillarWar.tower"),
  ];
};

/** @type {Guidance} */
export const caterpillarWar = {
  prompt: (stage) => {
    const [tail, tower] = stage.clicks.chosen;
    if (!tail)
      return [
        "",
        t(
          stage.options.step === "none"
            ? "prompt.caterpillarWar.crawl"
            : "prompt.caterpillarWar.first",
        ),
      ];
    if (!tower) return afterFirst(stage);
    return [
      t("prompt.caterpillarWar.line", { tail, tower, n: distance(tail, tower) }),
      t("prompt.caterpillarWar.end"),
    ];
  },
  labels: ({ chosen = [], lengths }) =>
    (lengths ?? new Set([chosen.length])).has(CRAWL_CELLS)
      ? [t("board.tail"), t("board.tower")].slice(0, chosen.length)
      : [],
  inspect: ({ cell, tokens }) => {
    const token = tokens.get(cell) ?? "";
    if (token.length < 2) return null;
    const stack = [...token].reverse().map((side) => ({ token: side, name: t(`cell.${side}`) }));
    const names = stack.map(({ name }) => name).join(", ");
    return { text: t("inspect.stack", { cell, stack: names }), stack };
  },
  finish: () => t("prompt.caterpillarWar.stepOrCrawl"),
  preview: ({ side, sides }, { removed = [] }) =>
    removed.length
      ? t("preview.captures", {
          side: sideName({ sides }, otherSide(side)),
          cells: list(removed),
        })
      : "",
  report: ({ trace: { removed = [] }, by, sides }) =>
    removed.length
      ? t("event.captured", { side: sideName({ sides }, by), cells: list(removed) })
      : "",
};
