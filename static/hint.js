// The line that says what to do: also where offers, refusals and questions are put. Its place never
// changes.
import { h } from "./dom.js";
import { say } from "./words.js";

export class Hint {
  constructor() {
    this.element = h("div", { class: "hint" });
    this.text = h("p", { role: "status" });
    this.buttons = h("span", {});
    this.element.append(this.text, this.buttons);
    this.shown = "";
  }

  /** Shows a bold sentence, a plain one, and buttons: [label, deed, "main"?]. */
  show(bold, plain = "", buttons = []) {
    const shown = JSON.stringify([bold, plain, buttons.map(([label]) => label)]);
    this.deeds = buttons.map(([, deed]) => deed);
    if (shown === this.shown) return;
    this.shown = shown;
    this.text.replaceChildren(h("b", {}, bold), plain);
    this.element.replaceChildren(this.text, ...buttons.map(([label, , kind], at) =>
      h("button", { type: "button", class: `btn ${kind ?? ""}`, onclick: () => this.deeds[at]() }, label)));
  }

  /** Asks before something that cannot be taken back; the safe answer has the focus. */
  ask(question, keep, does, deed, done) {
    this.show(question, "", [[keep, done], [does, () => {
      done();
      deed();
    }]]);
    this.element.querySelector("button")?.focus();
  }

  /** Says something to those who do not see the page. */
  static aloud = h("div", { class: "unseen", "aria-live": "assertive" });

  static announce(text) {
    if (!Hint.aloud.isConnected) document.body.append(Hint.aloud);
    Hint.aloud.textContent = text;
  }
}

/** What is said of a number of seconds until the first move must be made. */
export const startText = (ms) => (ms > 0 ? say("hint.startby", { n: Math.ceil(ms / 1000) }) : "");
