// Texts about the move that is being entered in a lesson: the next click, the effects of the chosen
// ones, and the reason of a refusal. Used by view.js and learn.js.
import { movePrompt, previewText, stageOf } from "../board/move-prompt.js";
import { RefusalQuery } from "../board/refusal-query.js";
import { guidanceOf } from "../guidance/index.js";
import { defaultOptions } from "./score.js";

/** @typedef {import("./lesson-board.js").LessonBoard} LessonBoard */

const refusals = new RefusalQuery();

/**
 * Returns the stage of the move. Lessons have the default options.
 * @param {LessonBoard} lessonBoard
 * @param {string} position
 */
const lessonStage = ({ clicks, variant, board }, position) =>
  stageOf({
    position,
    clicks,
    options: defaultOptions(variant),
    sides: variant.sides,
    ownMoves: Infinity,
    board,
  });

/**
 * Returns the effects of the chosen clicks in words, "" without any.
 * @param {LessonBoard} lessonBoard
 * @param {string} position
 */
export const effectText = (lessonBoard, position) =>
  previewText(
    lessonStage(lessonBoard, position),
    lessonBoard.movePreview.preview,
    guidanceOf(lessonBoard.variant.key),
  );

/**
 * Returns the bold and the plain sentence for the next click.
 * @param {LessonBoard} lessonBoard
 * @param {string} position
 * @returns {[bold: string, plain: string]}
 */
export const moveText = (lessonBoard, position) =>
  movePrompt(
    lessonStage(lessonBoard, position),
    lessonBoard.movePreview.preview,
    guidanceOf(lessonBoard.variant.key),
  );

/**
 * Returns the reason why clicks are refused, null if a later refusal has overtaken it.
 * @param {PositionQuery} position  body for `POST /api/position`, without clicks
 * @param {string[]} clicks
 * @returns {Promise<string | null>}
 */
export const refusalReason = (position, clicks) => refusals.explain(position, clicks);
