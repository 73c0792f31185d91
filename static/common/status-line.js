// Status line of the game page and the analysis board: the next action, offers, refusals and
// confirmations. Its position in the layout is fixed. Buttons that appear because of a remote event
// are disabled for a moment, because a click aimed at the previous button would otherwise hit them.
// The functions for this delay also serve the buttons of offers and rematches.
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/** Time for which a new button is visible before it is enabled. */
const SETTLE_MS = 600;

/** Maximum delay of a touch click after `pointerup`, and maximum duration of a press. */
const CLICK_MS = 300;
const PRESS_MAX_MS = 1500;

/**
 * Calls `deed` that many milliseconds after the next frame, so that the time in which a busy or
 * hidden page does not paint is excluded. Returns a function that cancels the call.
 * @param {() => unknown} deed
 * @param {number} ms
 */
export const afterSeen = (deed, ms) => {
  /** @type {number | undefined} */
  let timer;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(deed, ms);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
};

/**
 * Disables buttons for `SETTLE_MS`.
 * @param {Iterable<HTMLElement>} buttons
 */
export const settle = (buttons) => {
  for (const button of buttons) {
    if (button.getAttribute("aria-disabled") === "true") continue;
    button.setAttribute("aria-disabled", "true");
    button.classList.add("settling");
    afterSeen(() => {
      button.classList.remove("settling");
      // The button may have been disabled for another reason meanwhile.
      if (button.dataset.off !== "true") button.removeAttribute("aria-disabled");
    }, SETTLE_MS);
  }
};

/**
 * Wraps a click listener so that it ignores the second click of a double click.
 * @param {(event: MouseEvent) => unknown} deed
 */
export const once = (deed) => (/** @type {MouseEvent} */ event) =>
  event.detail < 2 ? deed(event) : undefined;

document.addEventListener(
  "click",
  (event) => {
    if (!(/** @type {Element} */ (event.target).closest?.(".settling"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

/** Status line with its live regions. */
export class Hint {
  /** @type {boolean} */ others;
  /** @type {(() => unknown)[]} */ deeds;
  /** @type {string} */ said;
  /** @type {string} */ spoken;
  /** @type {boolean} */ isPressed;
  /** @type {(() => void) | null} */ pending;
  /** @type {number | undefined} */ ending;

  /**
   * `rest()` moves the focus when the focused button has been removed.
   * @param {() => unknown} rest
   */
  constructor(rest) {
    this.rest = rest;
    this.element = h("div", { class: "hint" });
    this.text = h("p", {});
    // The live region is separate from the text, so that countdowns are not announced each second.
    this.status = Hint.calm;
    this.labels = "[]";
    this.element.append(this.text);
    Object.assign(this, { isPressed: false, pending: null });
    this.listen();
    // Screen readers ignore text in a live region that has just been added.
    document.body.append(Hint.calm, Hint.aloud);
  }

  /** Tracks presses of the buttons: a press ends with its click, or without one after a delay. */
  listen() {
    const endIn = (/** @type {number} */ ms) => {
      clearTimeout(this.ending);
      this.ending = setTimeout(() => this.release(), ms);
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
  release() {
    const { pending } = this;
    this.isPressed = false;
    this.pending = null;
    pending?.();
  }

  /**
   * Runs the handler of a remote event: buttons that appear in it are disabled for a moment.
   * @template T
   * @param {() => T} happens
   * @returns {T}
   */
  meanwhile(happens) {
    this.others = true;
    try {
      return happens();
    } finally {
      this.others = false;
    }
  }

  /**
   * Shows a bold and a plain sentence and buttons; a `quiet` text is not announced. Text that
   * arrives during a press is deferred until its end: it may move the button, and the browser then
   * fires no click.
   * @param {HintWords[0]} bold
   * @param {HintWords[1]} [plain]
   * @param {HintWords[2]} [buttons]
   * @param {HintWords[3]} [quiet]
   */
  show(bold, plain = "", buttons = [], quiet = false) {
    if (this.isPressed) {
      const again = () => this.show(bold, plain, buttons, quiet);
      this.pending = this.others ? () => this.meanwhile(again) : again;
      return;
    }
    this.pending = null;
    this.deeds = buttons.map(([, deed]) => deed);
    const [text, labels] = [
      JSON.stringify([bold, plain]),
      JSON.stringify(buttons.map(([label]) => label)),
    ];
    if (text !== this.said) this.write(bold, plain);
    const spoken = text.replace(/\d+ s\b/g, "");
    if (spoken !== this.spoken) this.status.textContent = quiet ? "" : `${bold} ${plain}`;
    // Buttons with unchanged labels are kept, so that a change of text does not lose a press.
    if (labels !== this.labels) {
      const had = document.activeElement?.parentNode === this.element;
      this.element.replaceChildren(
        this.text,
        ...buttons.map(([label, , kind], at) =>
          h(
            "button",
            { type: "button", class: `btn ${kind ?? ""}`, onclick: once(() => this.deeds[at]()) },
            label,
          ),
        ),
      );
      // Three buttons need a row of their own.
      this.element.classList.toggle("many", buttons.length > 2);
      if (this.others) settle(this.element.querySelectorAll("button"));
      if (had && this.others && buttons.length)
        this.element.querySelector("button").focus({ preventScroll: true });
      else if (had) this.rest();
    }
    // Two buttons get one as well if there is only one sentence.
    this.element.classList.toggle("two", buttons.length === 2 && !plain);
    Object.assign(this, { said: text, spoken, labels });
  }

  /**
   * Replaces the paragraph: a reused one would visibly move when its number of lines changes.
   * @param {string} bold
   * @param {string} plain
   */
  write(bold, plain) {
    const text = h("p", {}, h("b", {}, bold), plain);
    this.text.replaceWith(text);
    this.text = text;
  }

  /**
   * Asks for confirmation of an irreversible action; the button that keeps everything has the
   * focus.
   * @param {string} question
   * @param {string} keep  label of that button
   * @param {string} does  label of the button that confirms
   * @param {() => unknown} deed  called on confirmation, after `done`
   * @param {() => unknown} done  called with either answer
   */
  ask(question, keep, does, deed, done) {
    this.show(question, "", [
      [keep, done],
      [
        does,
        () => {
          done();
          deed();
        },
      ],
    ]);
    this.element.querySelector("button")?.focus();
  }

  /** Polite live region with the text of the status line. */
  static calm = h("div", { class: "unseen", role: "status" });

  /** Assertive live region. */
  static aloud = h("div", { class: "unseen", "aria-live": "assertive" });

  /**
   * Announces a text to screen readers immediately.
   * @param {string} text
   */
  static announce(text) {
    Hint.aloud.textContent = text;
  }
}

/**
 * Describes the time until the deadline of the first move.
 * @param {number} ms
 * @returns {string}
 */
export const startText = (ms) => (ms > 0 ? say("hint.startby", { n: Math.ceil(ms / 1000) }) : "");
