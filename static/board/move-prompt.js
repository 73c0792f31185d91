// Sentences of the status line for a move that is being entered: what to choose next, and what the
// choice would do. Used by the move input of the game page and of the analysis board.
import { t } from "../lib/i18n.js";
import { parseCells, parsePosition } from "../model/notation.js";

/**
 * Returns the stage of a move.
 * @param {{
 *   position: string,
 *   clicks: Stage["clicks"],
 *   options: Options,
 *   sides: string[],
 *   ownMoves: number,
 *   board: import("./board.js").Board,
 * }} input
 * @returns {Stage}
 */
export const stageOf = ({ position, clicks, options, sides, ownMoves, board }) => {
  const { cells, turn, extras } = parsePosition(position);
  return {
    cells,
    tokens: parseCells(cells),
    extras,
    side: turn,
    sides,
    options,
    board: board.board,
    clicks,
    ownMoves,
    markOf: (cell) => board.markOf(cell),
  };
};

/**
 * Describes the effects of a preview; returns "" if there are none.
 * @param {Stage} stage
 * @param {Trace | null | undefined} preview
 * @param {Guidance} guidance
 */
export const previewText = (stage, preview, guidance) =>
  preview ? guidance.preview(stage, preview) : "";

/**
 * Returns the bold and the plain sentence for the next click; effects of the clicks replace the
 * plain one.
 * @param {Stage} stage
 * @param {Trace | null | undefined} preview
 * @param {Guidance} guidance
 * @returns {[bold: string, plain: string]}
 */
export const movePrompt = (stage, preview, guidance) => {
  const effect = previewText(stage, preview, guidance);
  const { clicks } = stage;
  if (clicks.chosen.length && clicks.completeMove())
    return [guidance.finish?.(stage) ?? t("hint.leavewhy"), effect];
  const [button] = clicks.buttonMoves();
  if (button && clicks.firstCells().size === 0) return ["", t(`hint.only.${button}`)];
  const [bold, plain] = guidance.prompt(stage);
  return [bold, effect || plain];
};
