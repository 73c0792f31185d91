// The line that says what to do: also where offers, refusals and questions are put. Its place never changes. Buttons that somebody
// else's act has brought take no press for a moment: what was under the pointer a moment ago must not be answered with something else.
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/** So long a button is seen before it can be pressed. */
const SETTLE_MS = 600;

/** The click of a finger comes up to so long after the finger was lifted, and no press is waited for longer than this. */
const CLICK_MS = 300;
const PRESS_MAX_MS = 1500;

/**
 * Calls `deed` so many milliseconds after the next frame: time in which a busy or hidden page shows nothing does not
 * count. Returns a function that cancels the call.
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
 * Makes those buttons wait.
 * @param {Iterable<any>} buttons
 */
export const settle = (buttons) => {
  for (const button of buttons) {
    if (button.getAttribute("aria-disabled") === "true") continue;
    button.setAttribute("aria-disabled", "true");
    button.classList.add("settling");
    afterSeen(() => {
      button.classList.remove("settling");
      // Somebody may have switched it off meanwhile.
      if (button.dataset.off !== "true") button.removeAttribute("aria-disabled");
    }, SETTLE_MS);
  }
};

/**
 * What a button does, of which the second click of a double click is no press of its own.
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

export class Hint {
  /** @type {boolean} */ others;
  /** @type {(() => unknown)[]} */ deeds;
  /** @type {string} */ said;
  /** @type {string} */ spoken;
  /** @type {boolean} */ isPressed;
  /** @type {(() => void) | null} */ pending;
  /** @type {number | undefined} */ ending;

  /**
   * `rest()` puts the focus where it goes on, when a button that had it has gone.
   * @param {() => unknown} rest
   */
  constructor(rest) {
    this.rest = rest;
    this.element = h("div", { class: "hint" });
    this.text = h("p", {});
    // Those who listen are not told of each second that passes.
    this.status = Hint.calm;
    this.labels = "[]";
    this.element.append(this.text);
    Object.assign(this, { isPressed: false, pending: null });
    this.listen();
    // What is said in a place that has just come is not heard: both are there from the beginning.
    document.body.append(Hint.calm, Hint.aloud);
  }

  /** Notes when one of the buttons is pressed, and when the press has become a click or has ended without one. */
  listen() {
    const endIn = (ms) => {
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
        // The button still does what it said; anything that was to be shown meanwhile follows, unless it is out of date then.
        this.isPressed = false;
        endIn(0);
      },
      true,
    );
  }

  /** Shows what has come during a press. */
  release() {
    const { pending } = this;
    this.isPressed = false;
    this.pending = null;
    pending?.();
  }

  /** What happens meanwhile is not the player's own doing: buttons that it brings have to settle. */
  meanwhile(happens) {
    this.others = true;
    try {
      return happens();
    } finally {
      this.others = false;
    }
  }

  /**
   * Shows a bold sentence, a plain one, and buttons: [label, deed, "main"?]; what is quiet is only to be seen. A longer
   * text moves the buttons: during a press on one of them it waits, as a button that moves away is not clicked.
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
    // Buttons stay while their words do: a press on one is not lost when the text changes.
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
      // Three answers need a row of their own.
      this.element.classList.toggle("many", buttons.length > 2);
      if (this.others) settle(this.element.querySelectorAll("button"));
      if (had && this.others && buttons.length)
        this.element.querySelector("button").focus({ preventScroll: true });
      else if (had) this.rest();
    }
    // So have two, where no more is said than fits above them.
    this.element.classList.toggle("two", buttons.length === 2 && !plain);
    Object.assign(this, { said: text, spoken, labels });
  }

  /** Another text is another paragraph: one that stayed would move whenever it has more lines or fewer. */
  write(bold, plain) {
    const text = h("p", {}, h("b", {}, bold), plain);
    this.text.replaceWith(text);
    this.text = text;
  }

  /** Asks before something that cannot be taken back; the safe answer has the focus. */
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

  /** What the hint says, to those who do not see the page. */
  static calm = h("div", { class: "unseen", role: "status" });

  /** Says something to them at once. */
  static aloud = h("div", { class: "unseen", "aria-live": "assertive" });

  static announce(text) {
    Hint.aloud.textContent = text;
  }
}

/**
 * What is said of a number of seconds until the first move must be made.
 * @param {number} ms
 * @returns {string}
 */
export const startText = (ms) => (ms > 0 ? say("hint.startby", { n: Math.ceil(ms / 1000) }) : "");
