// Describes moves in words: paths, captures and strikes.
import { say } from "../lib/i18n.js";

/**
 * The way of a piece: from where to where, and by how many hops if that is told of this game.
 * @param {string[]} path
 * @param {Glyph} glyph
 */
const way = (path, { hops }) => {
  const [from, to] = [path[0], path.at(-1)];
  if (path.length === 1) return say("told.at", { cell: to });
  return hops && path.length > 2
    ? say("told.hops", { from, to, n: path.length - 1 })
    : say("told.way", { from, to });
};

/**
 * What a move did, in words: where everything went, and what left the board. `u` is its notation, `trace`
 * what the rules say of it (without that the notation has to do), `glyph` how its game looks.
 * @param {string} u
 * @param {Trace | null | undefined} trace
 * @param {Glyph} glyph
 * @returns {string}
 */
export const moveText = (u, trace, glyph) => {
  if (!/\d/.test(u)) return say(`button.${u}`);
  if (!trace) return u;
  const { paths, removed = [], strikes = [] } = trace;
  const struck = strikes.map((cells) => cells.at(-1));
  const taken = removed.filter((cell) => !struck.includes(cell));
  return [
    ...paths.map((path) => way(path, glyph)),
    taken.length > 0 &&
      (glyph.removes
        ? say("told.wipes", { cells: taken.join(", ") })
        : say("told.takes", { n: taken.length, cells: taken.join(", ") })),
    struck.length > 0 && say("told.strikes", { cells: [...new Set(struck)].join(", ") }),
  ]
    .filter(Boolean)
    .join(", ");
};
