// Status line of the game page and the analysis board: the next action, offers, refusals and
// confirmations. Its position in the layout is fixed. Buttons that appear because of a remote event
// are disabled for a moment, because a click aimed at the previous button would otherwise hit them.
// The functions for this delay also serve the buttons of offers and rematches.
import { h } from "../lib/dom.js";
import { closeSentence } from "../lib/sentence.js";
import { t } from "../lib/i18n.js";

/** Time for which a new button is visible before it is enabled. */
const HOLD_MS = 600;

/** Maximum delay of a touch click after `pointerup`, and maximum duration of a press. */
const CLICK_MS = 300;
const PRESS_MAX_MS = 1500;

/**
 * Calls `action` that many milliseconds after the next frame, so that the time in which a busy or
 * hidden page does not paint is excluded. Returns a function that cancels the call.
 * @param {() => unknown} action
 * @param {number} ms
 */
export const afterPaint = (action, ms) => {
  /** @type {number | undefined} */
  let timer;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(action, ms);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};

/**
 * Disables buttons for `HOLD_MS`.
 * @param {Iterable<HTMLElement>} buttons
 */
export const holdButtons = (buttons) => {
  for (const button of buttons) {
    if (button.getAttribute("aria-disabled") === "true") continue;
    button.setAttribute("aria-disabled", "true");
    button.classList.add("is-held");
    afterPaint(() => {
      button.classList.remove("is-held");
      // The button may have been disabled for another reason meanwhile.
      if (button.dataset.off !== "true") button.removeAttribute("aria-disabled");
    }, HOLD_MS);
  }
};

/**
 * Wraps a click listener so that it ignores the second click of a double click.
 * @param {(event: MouseEvent) => unknown} listener
 */
export const ignoreDoubleClick = (listener) => (/** @type {MouseEvent} */ event) =>
  event.detail < 2 ? listener(event) : undefined;

document.addEventListener(
  "click",
  (event) => {
    if (!(/** @type {Element} */ (event.target).closest?.(".is-held"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

/** Status line with its live regions. */
export class StatusLine {
  /** @type {boolean} */ isRemote;
  /** @type {(() => unknown)[]} */ actions;
  /** @type {string} */ shownText;
  /** @type {string} */ announcedText;
  /** @type {boolean} */ isPressed;
  /** @type {(() => void) | null} */ pending;
  /** @type {number | undefined} */ pressTimer;
  /** @type {number | undefined} */ frame;

  /**
   * `rest()` moves the focus when the focused button has been removed.
   * @param {() => unknown} restoreFocus
   */
  constructor(restoreFocus) {
    this.rest = restoreFocus;
    this.element = h("div", { class: "game-status" });
    this.text = h("p", {});
    // The live region is separate from the text, so that countdowns are not announced each second.
    this.status = StatusLine.#politeRegion;
    this.labels = "[]";
    this.element.append(this.text);
    Object.assign(this, { isPressed: false, pending: null });
    this.trackPresses();
    // Screen readers ignore text in a live region that has just been added.
    document.body.append(StatusLine.#politeRegion, StatusLine.#assertiveRegion);
  }

  /** Tracks presses of the buttons: a press ends with its click, or without one after a delay. */
  trackPresses() {
    const endIn = (/** @type {number} */ ms) => {
      clearTimeout(this.pressTimer);
      this.pressTimer = setTimeout(() => this.endPress(), ms);
    };
    this.element.addEventListener("pointerdown", ({ target }) => {
      if (!(/** @type {Element} */ (target).closest("button"))) return;
      this.isPressed = true;
      endIn(PRESS_MAX_MS);
    });
    for (const end of ["pointerup", "pointercancel"])
      document.addEventListener(end, () => this.isPressed && endIn(CLICK_MS));
    this.element.addEventListener(
      "click",
      () => {
        // The action of the pressed button runs first; the pending text follows, unless that action
        // replaces it.
        this.isPressed = false;
        endIn(0);
      },
      true,
    );
  }

  /** Ends a press and shows the pending text. */
  endPress() {
    const { pending } = this;
    this.isPressed = false;
    this.pending = null;
    pending?.();
  }

  /**
   * Runs the handler of a remote event: buttons that appear in it are disabled for a moment.
   * @template T
   * @param {() => T} handler
   * @returns {T}
   */
  runRemote(handler) {
    this.isRemote = true;
    try {
      return handler();
    } finally {
      this.isRemote = false;
    }
  }

  /**
   * Shows a bold and a plain sentence and buttons; `quiet` excludes the text, or only its plain
   * sentence, from the announcement. Text that
   * arrives during a press is deferred until its end: it may move the button, and the browser then
   * fires no click.
   * @param {StatusContent[0]} bold
   * @param {StatusContent[1]} [plain]
   * @param {StatusContent[2]} [buttons]
   * @param {StatusContent[3]} [quiet]
   */
  show(bold, plain = "", buttons = [], quiet = false) {
    if (this.isPressed) {
      const again = () => this.show(bold, plain, buttons, quiet);
      this.pending = this.isRemote ? () => this.runRemote(again) : again;
      return;
    }
    this.pending = null;
    this.actions = buttons.map(([, action]) => action);
    const [text, labels] = [
      JSON.stringify([bold, plain]),
      JSON.stringify(buttons.map(([label]) => label)),
    ];
    // New buttons change the width of the paragraph.
    if (text !== this.shownText || labels !== this.labels) this.write(bold, plain);
    const spoken = quiet
      ? quiet === "plain"
        ? bold
        : ""
      : `${closeSentence(bold, plain)} ${plain}`;
    const announcedText = (quiet === "plain" ? bold : text).replace(/\d+\ss\b/g, "");
    if (announcedText !== this.announcedText) this.status.textContent = spoken;
    // Buttons with unchanged labels are kept, so that a change of text does not lose a press.
    if (labels !== this.labels) {
      const hadFocus = document.activeElement?.parentNode === this.element;
      this.element.replaceChildren(
        this.text,
        ...buttons.map(([label, , kind], at) =>
          h(
            "button",
            {
              type: "button",
              class: `btn ${kind ?? ""}`,
              onclick: ignoreDoubleClick(() => this.actions[at]()),
            },
            label,
          ),
        ),
      );
      // Three buttons need a row of their own.
      this.element.classList.toggle("is-three-column", buttons.length > 2);
      if (this.isRemote) holdButtons(this.element.querySelectorAll("button"));
      if (hadFocus && this.isRemote && buttons.length)
        this.element.querySelector("button").focus({ preventScroll: true });
      else if (hadFocus) this.rest();
    }
    // Two buttons get a row as well beside a wide board.
    this.element.classList.toggle("is-two-column", buttons.length === 2);
    // Reading sizes at once would lay out a page that is still changing.
    if (text !== this.shownText || labels !== this.labels)
      this.frame ??= requestAnimationFrame(() => {
        this.frame = undefined;
        this.fit();
      });
    Object.assign(this, { shownText: text, announcedText, labels });
  }

  /**
   * Replaces the paragraph: a reused one would visibly move when its number of lines changes.
   * @param {string} bold
   * @param {string} plain
   */
  write(bold, plain) {
    const lead = closeSentence(bold, plain);
    const text = h("p", {}, h("b", {}, lead), bold && plain ? " " : "", plain);
    this.text.replaceWith(text);
    this.text = text;
  }

  /** Sets a long text in a smaller size, so that no line of it is cut. */
  fit() {
    const { text } = this;
    text.classList.remove("is-dense");
    if (text.scrollHeight > text.clientHeight) text.classList.add("is-dense");
  }

  /**
   * Asks for confirmation of an irreversible action; the button that keeps everything has the
   * focus.
   * @param {string} question
   * @param {string} cancelLabel  label of that button
   * @param {string} confirmLabel  label of the button that confirms
   * @param {() => unknown} action  called on confirmation, after `done`
   * @param {() => unknown} done  called with either answer
   */
  confirm(question, cancelLabel, confirmLabel, action, done) {
    this.show(question, "", [
      [cancelLabel, done],
      [
        confirmLabel,
        () => {
          done();
          action();
        },
      ],
    ]);
    this.element.querySelector("button")?.focus();
  }

  /** Polite live region with the text of the status line. */
  static #politeRegion = h("div", { class: "visually-hidden", role: "status" });

  /** Assertive live region. */
  static #assertiveRegion = h("div", { class: "visually-hidden", "aria-live": "assertive" });

  /**
   * Announces a text to screen readers after the current one, in place of that of the status line.
   * @param {string} text
   */
  static announcePolitely(text) {
    StatusLine.#politeRegion.textContent = text;
  }

  /**
   * Announces a text to screen readers immediately.
   * @param {string} text
   */
  static announce(text) {
    StatusLine.#assertiveRegion.textContent = text;
  }
}

/**
 * Describes the time until the deadline of the first move.
 * @param {number} ms
 * @returns {string}
 */
export const firstMoveText = (ms) => (ms > 0 ? t("hint.startby", { n: Math.ceil(ms / 1000) }) : "");
