// Move list of a game with step buttons and arrow keys, and links to a ply: `/ID#12` displays the
// position after twelve moves. The list holds texts only; `move-history.js` owns the moves and
// positions. Used by the pages of games: on the server, and on one device.
import { h } from "../lib/dom.js";
import { copy } from "../lib/share.js";
import { iconButton, isReservedKey, stepButtons } from "../lib/keyboard.js";
import { t } from "../lib/i18n.js";

const STEPS = { first: -Infinity, back: -1, forward: 1, last: Infinity };
/** @type {Record<string, number>} */
const KEYS = {
  ArrowLeft: STEPS.back,
  ArrowRight: STEPS.forward,
  Home: STEPS.first,
  End: STEPS.last,
};

/**
 * Text of a move, and its description in words if that says more.
 * @typedef {{ text: string, spoken?: string }} MoveText
 */

/** Move list with navigation. */
export class MoveList {
  /** @type {(ply: number) => unknown} */ go;
  /** @type {MoveText[]} */ texts;
  /** @type {number} */ ply;
  /** @type {number | undefined} */ frame;

  /**
   * `go(ply)` displays a position; `more` are additional buttons after the step buttons.
   * @param {(ply: number) => unknown} go
   * @param {...Child} more
   */
  constructor(go, ...more) {
    Object.assign(this, { go, texts: [], ply: 0 });
    this.list = h("ol", { class: "game-moves", "aria-label": t("game.moves") });
    this.list.addEventListener("click", (event) => {
      const ply = /** @type {Element} */ (event.target).closest("button")?.dataset.ply;
      if (ply) go(Number(ply));
    });
    this.steps = h(
      "div",
      { class: "step-buttons" },
      ...stepButtons((step) => this.step(STEPS[step])),
      ...more,
    );
    document.addEventListener("keydown", (event) => {
      // Radio groups and the board handle these keys first and prevent the default.
      if (!(event.key in KEYS) || isReservedKey(event)) return;
      event.preventDefault();
      this.step(KEYS[event.key]);
    });
  }

  /**
   * Moves the displayed ply.
   * @param {number} by number of plies, may be infinite
   */
  step(by) {
    this.go(Math.min(this.texts.length, Math.max(0, this.ply + by)));
  }

  /** @param {MoveText[]} texts */
  set(texts) {
    this.texts = [];
    this.list.replaceChildren();
    texts.forEach((text) => this.add(text));
  }

  /** @param {MoveText} move */
  add(move) {
    const ply = this.texts.push(move);
    const { text, spoken } = move;
    const button = h(
      "button",
      {
        type: "button",
        "data-ply": ply,
        title: spoken,
        "aria-label": spoken && `${text}: ${spoken}`,
      },
      text,
    );
    if (ply % 2)
      this.list.append(h("li", {}, h("i", { "aria-hidden": "true" }, (ply + 1) / 2), button));
    else this.list.lastElementChild?.append(button);
  }

  /**
   * Truncates the list to `ply` moves.
   * @param {number} ply
   */
  cut(ply) {
    while (this.texts.length > ply) {
      const row = this.list.lastElementChild;
      if (this.texts.length % 2) row?.remove();
      else row?.lastElementChild?.remove();
      this.texts.pop();
    }
  }

  /**
   * Marks the displayed ply and scrolls to it in the next frame.
   * @param {number} ply
   */
  mark(ply) {
    this.ply = ply;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.list.querySelector(`[data-ply="${ply}"]`)?.setAttribute("aria-current", "true");
    // Reading sizes at once would lay out a page that is still changing.
    this.frame ??= requestAnimationFrame(() => this.scrollToMark());
  }

  /** Scrolls to the marked ply. */
  scrollToMark() {
    this.frame = undefined;
    const { list } = this;
    const button = list.querySelector("[aria-current]");
    if (!button) return;
    // `scrollIntoView` would scroll the page too.
    const row = button.parentNode;
    if (list.scrollWidth > list.clientWidth)
      list.scrollLeft = button.offsetLeft - list.clientWidth + button.offsetWidth + 12;
    else list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

/** Returns the ply in the address, null without one. */
const plyFromHash = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null);

/** Button that copies a link to the displayed ply, and handler of such links. */
export class PlyLink {
  /**
   * `go(ply)` displays a position, `ply()` returns the displayed ply.
   * @param {{ go: (ply: number) => unknown, ply: () => number }} options
   */
  constructor({ go, ply }) {
    this.go = go;
    this.button = iconButton(
      "game.plylink",
      "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2",
      () =>
        copy(`${location.origin}${location.pathname}#${ply()}`, t("game.plycopied", { n: ply() })),
    );
    addEventListener("hashchange", () => this.follow());
  }

  /** Displays the ply in the address, if any. */
  follow() {
    const ply = plyFromHash();
    if (ply !== null) this.go(ply);
  }
}
