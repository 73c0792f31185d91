// Descriptions of moves in words, for the move list and screen readers.
import { t } from "../lib/i18n.js";

/**
 * Describes a path: origin, destination, and the number of hops if the variant counts them.
 * @param {string[]} path
 * @param {Pick<Guidance, "countsHops">} guidance
 */
const describePath = (path, { countsHops: hops }) => {
  const [from, to] = [path[0], path.at(-1)];
  if (path.length === 1) return t("description.at", { cell: to });
  return hops && path.length > 2
    ? t("description.hops", { from, to, n: path.length - 1 })
    : t("description.way", { from, to });
};

/**
 * Describes a move in words: paths, removals and strikes. Without a trace, returns the notation.
 * @param {string} u notation of the move
 * @param {Trace | null | undefined} trace
 * @param {Pick<Guidance, "countsHops" | "removedText">} guidance
 * @param {Tokens | null} [before] tokens of the position before the move, if they are known
 * @returns {string}
 */
export const moveText = (u, trace, guidance, before) => {
  if (!/\d/.test(u)) return t(`button.${u}`);
  if (!trace) return u;
  const { paths, removed = [], strikes = [] } = trace;
  const struck = strikes.map((cells) => cells.at(-1));
  const taken = removed.filter((cell) => !struck.includes(cell));
  return [
    ...paths.map((path) => describePath(path, guidance)),
    taken.length > 0 &&
      (guidance.removedText?.(taken, before) ??
        t("description.takes", { n: taken.length, cells: taken.join(", ") })),
    struck.length > 0 && t("description.strikes", { cells: [...new Set(struck)].join(", ") }),
  ]
    .filter(Boolean)
    .join(", ");
};
