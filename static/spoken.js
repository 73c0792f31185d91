// A move in words, for those who hear the game.
import { partsOf } from "./notation.js";
import { say } from "./words.js";

/**
 * The way of a piece: from where to where, and by how many hops if that is told of this game.
 * @param {string[]} path
 * @param {Glyph} glyph
 */
const way = (path, { hops }) => {
  const [from, to] = [path[0], path.at(-1)];
  if (path.length === 1) return say("told.at", { cell: to });
  return hops && path.length > 2 ? say("told.hops", { from, to, n: path.length - 1 }) : say("told.way", { from, to });
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
    taken.length > 0 && (glyph.removes ? say("told.wipes", { cells: taken.join(", ") }) : say("told.takes", { n: taken.length, cells: taken.join(", ") })),
    struck.length > 0 && say("told.strikes", { cells: [...new Set(struck)].join(", ") }),
  ].filter(Boolean).join(", ");
};

/**
 * The last move of a side (of anybody with null) in the game of a page, in words with its player's name; "" if there is none yet.
 * @param {import("./play.js").Play} play
 * @param {Side | null} side
 * @returns {Promise<string>}
 */
export const lastText = async (play, side) => {
  const { course, glyph } = play;
  // Who moved at a ply is told by what stood before it, which may have to be asked for.
  const known = Array.from({ length: course.end }, (_, ply) => course.text(ply)).every(Boolean);
  if (!known) await course.fetch().catch(() => {});
  for (let ply = course.end; ply > 0; ply -= 1) {
    const before = course.text(ply - 1);
    const mover = before && partsOf(before).turn;
    if (mover && (!side || mover === side)) return say("hint.moved", { name: play.name(mover), u: moveText(course.moves[ply - 1], course.traces[ply], glyph) });
  }
  return "";
};
