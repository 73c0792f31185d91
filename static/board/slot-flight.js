// Flight of a removed piece to its slot beside the board, which the page of a game draws in the bar
// of the piece's owner. The piece leaves the board, so it is drawn in an SVG element of its own,
// over the page. Used by `effects.js`.
import { s } from "../lib/dom.js";

const TRAVEL = "cubic-bezier(.2,.7,.2,1)";

/** Diameter of a piece in board units. */
const PIECE_SIZE = 72;

/**
 * Returns the slot of a removed piece, null if the page has none that is visible. The slots already
 * show the position after the change.
 * @param {import("./effects.js").MoveEffects} scene
 * @param {string} cell
 * @returns {HTMLElement | null}
 */
export const slotOf = ({ board, pieceSet, before, times: { removals }, isRewind }, cell) => {
  const side = pieceSet.owner(before.get(cell));
  const cells = removals
    .map((removal) => removal.cell)
    .filter((one) => pieceSet.owner(before.get(one)) === side);
  const at = cells.indexOf(cell);
  return (side && board.slotOf?.(side, isRewind ? at : at - cells.length)) ?? null;
};

/**
 * Adds the flight of a removed piece. The slot stays invisible until the piece has arrived.
 * @param {import("./effects.js").MoveEffects} scene
 * @param {{ cell: string, at: number, ms: number, slot: HTMLElement }} flight
 */
export const addSlotFlight = (scene, { cell, at, ms, slot }) => {
  const { board } = scene;
  const { left, top, unit } = board.scale();
  if (!unit) return;
  const { height } = board.svg.getBoundingClientRect();
  const box = slot.getBoundingClientRect();
  const end = [(box.left + box.width / 2 - left) / unit, (box.top + box.height / 2 - top) / unit];
  const piece = s("g", { opacity: 0 }, scene.drawTop(scene.before.get(cell), cell));
  const [boardWidth, boardHeight] = board.size();
  const overlay = s(
    "svg",
    {
      class: `board-flight ${board.svg.classList[1]}`,
      viewBox: `0 0 ${boardWidth} ${boardHeight}`,
      "aria-hidden": "true",
    },
    piece,
  );
  const { style } = overlay;
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${boardWidth * unit}px`;
  style.height = `${height}px`;
  board.svg.after(overlay);
  scene.overlays.push(overlay);
  /** @type {(point: number[], scale: number) => Keyframe} */
  const frame = ([x, y], scale) => ({
    opacity: 1,
    transform: `translate(${x}px, ${y}px) scale(${scale})`,
  });
  const frames = [frame(board.at(cell), 1), frame(end, box.width / unit / PIECE_SIZE)];
  scene.parts.push({
    node: piece,
    frames,
    timing: { delay: at, duration: ms, easing: TRAVEL },
  });
  scene.addPart(slot, [{ opacity: 0 }, { opacity: 0 }], 0, at + ms);
};
