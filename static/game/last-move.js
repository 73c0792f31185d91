// Describes the last move of a game, for announcements.
import { moveText } from "../board/move-description.js";
import { say } from "../lib/i18n.js";
import { partsOf } from "../model/notation.js";

/**
 * Describes the last move of a side (null: of either side) with the name of its player; "" before
 * the first move. Loads missing positions.
 * @param {import("./page.js").Play} play
 * @param {Side | null} side
 * @returns {Promise<string>}
 */
export const lastText = async (play, side) => {
  const { course, glyph } = play;
  // The mover of a ply follows from the position before it, as a side may move twice in a row.
  const known = Array.from({ length: course.end }, (_, ply) => course.text(ply)).every(Boolean);
  if (!known) await course.fetch().catch(() => {});
  for (let ply = course.end; ply > 0; ply -= 1) {
    const before = course.text(ply - 1);
    const mover = before && partsOf(before).turn;
    if (mover && (!side || mover === side))
      return say("hint.moved", {
        name: play.name(mover),
        u: moveText(course.moves[ply - 1], course.traces[ply], glyph),
      });
  }
  return "";
};
