// Closer look at a cell: the pieces of a stack, the cells that a knight attacks, the pairs that
// threaten a button. Opened by pressing and holding (closed on release), by a resting mouse, or by
// the key i (closed by the next key). `guidance` says what a cell has to show; `board.js` creates
// one instance per interactive board.
import { inspectionMarks } from "./inspection-marks.js";
import { s } from "../lib/dom.js";

/** Time for which a press is held, and for which a mouse rests. */
const HOLD_MS = 400;
const HOVER_MS = 500;

/**
 * Returns whether a look draws anything; a press on a cell without marks remains a tap.
 * @param {Inspection | null} found
 */
const hasMarks = (found) =>
  Boolean(found?.stack || found?.attacked?.length || found?.strikes?.length);

/** Inspector of one board. */
export class Inspector {
  /** @type {import("./board.js").Board} */ board;
  /** @type {"hold" | "hover" | "key" | null} */ openedBy;
  /** @type {string | undefined} */ hoveredCell;
  /** @type {number | undefined} */ timer;
  /** @type {SVGElement} */ layer;
  /** @type {SVGElement} */ under;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, { board, openedBy: null });
    const { svg, layers } = board;
    const layer = () => s("g", { class: "board-inspection", "aria-hidden": "true" });
    Object.assign(this, { layer: layer(), under: layer() });
    svg.insertBefore(this.layer, layers.focus);
    // Lines lie under the buttons, whose holes stay readable.
    svg.insertBefore(this.under, layers.pieces);
    svg.addEventListener("blur", () => this.openedBy === "key" && this.close());
  }

  /**
   * Returns what a cell has to show, null if nothing.
   * @param {string | undefined} cell
   * @returns {Inspection | null}
   */
  find(cell) {
    const { board } = this;
    const { sides } = board.inspection ?? {};
    if (!cell || !sides) return null;
    return (
      board.guidance.inspect?.({
        cell,
        sides,
        tokens: board.tokens,
        markOf: (name) => board.markOf(name),
      }) ?? null
    );
  }

  /**
   * Opens the inspector of a cell once a press has been held.
   * @param {string | undefined} cell
   * @param {() => unknown} opened called when it opens
   * @returns whether the cell has something to show
   */
  startHold(cell, opened) {
    if (!hasMarks(this.find(cell))) return false;
    this.timer = setTimeout(() => {
      if (this.open(cell, "hold")) opened();
    }, HOLD_MS);
    return true;
  }

  /**
   * Follows a mouse without a pressed button; a cell opens once the mouse has rested on it.
   * @param {string | undefined} cell undefined outside the board
   */
  followMouse(cell) {
    if (cell === this.hoveredCell) return;
    this.hoveredCell = cell;
    if (this.openedBy === "hold" || this.openedBy === "key") return;
    this.close();
    const found = this.find(cell);
    if (found?.opensOnHover && hasMarks(found))
      this.timer = setTimeout(() => this.open(cell, "hover"), HOVER_MS);
  }

  /** Closes the inspector for a new position; the mouse may still rest on a cell. */
  restart() {
    const { hoveredCell } = this;
    this.close();
    this.hoveredCell = undefined;
    this.followMouse(hoveredCell);
  }

  /**
   * Shows a cell. Its text is announced after a key or a press, not while the mouse rests on it.
   * @param {string | undefined} cell
   * @param {"hold" | "hover" | "key"} by
   */
  open(cell, by) {
    const found = this.find(cell);
    if (!cell || !found) return false;
    this.close();
    this.openedBy = by;
    this.layer.replaceChildren(...inspectionMarks(this.board, cell, found));
    this.under.replaceChildren(...this.board.marks.captureLines(found.strikes ?? []));
    if (by !== "hover") this.board.inspection?.tell(found.text);
    return true;
  }

  /** Closes the inspector, also before it has opened. */
  close() {
    clearTimeout(this.timer);
    const { openedBy } = this;
    this.openedBy = null;
    this.layer.replaceChildren();
    this.under.replaceChildren();
    if (openedBy && openedBy !== "hover") this.board.inspection?.tell("");
  }

  /**
   * Handles a key of the board. Returns whether it was the key of the inspector; any other one
   * closes it.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    const isKey = event.key === "i" && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isKey && event.repeat) return true;
    const wasOpen = this.openedBy === "key";
    if (wasOpen) this.close();
    // The arrows lead away from a resting mouse.
    if (event.key.startsWith("Arrow")) this.hoveredCell = undefined;
    if (!isKey) return false;
    event.preventDefault();
    if (!wasOpen) this.open(this.hoveredCell ?? this.board.focused, "key");
    return true;
  }
}
