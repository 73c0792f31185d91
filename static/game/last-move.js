// Describes the last move of a game, for announcements.
import { moveText } from "../board/move-description.js";
import { say } from "../lib/i18n.js";
import { partsOf } from "../model/notation.js";

/**
 * The last move of a side (of anybody with null) in the game of a page, in words with its player's name; "" if there is none yet.
 * @param {import("./page.js").Play} play
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
    if (mover && (!side || mover === side))
      return say("hint.moved", {
        name: play.name(mover),
        u: moveText(course.moves[ply - 1], course.traces[ply], glyph),
      });
  }
  return "";
};
