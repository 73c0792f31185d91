// Describes the last move of a game, for announcements.
import { moveText } from "../board/move-description.js";
import { t } from "../lib/i18n.js";
import { parseCells, parsePosition } from "../model/notation.js";

/**
 * Describes the last move of a side (null: of either side) with the name of its player; "" before
 * the first move. Loads missing positions.
 * @param {import("./page.js").GamePage} page
 * @param {Side | null} side
 * @returns {Promise<string>}
 */
export const describeLastMove = async (page, side) => {
  const { moveHistory, guidance } = page;
  // The mover of a ply follows from the position before it, as a side may move twice in a row.
  const isLoaded = Array.from({ length: moveHistory.latestPly }, (_, ply) =>
    moveHistory.positionAt(ply),
  ).every(Boolean);
  if (!isLoaded) await moveHistory.fetch().catch(() => {});
  for (let ply = moveHistory.latestPly; ply > 0; ply -= 1) {
    const before = moveHistory.positionAt(ply - 1);
    const mover = before && parsePosition(before).turn;
    if (mover && (!side || mover === side))
      return t("hint.moved", {
        name: page.name(mover),
        u: moveText(
          moveHistory.moves[ply - 1],
          moveHistory.traces[ply],
          guidance,
          parseCells(parsePosition(before).cells),
        ),
      });
  }
  return "";
};
