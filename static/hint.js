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
  }

  /** Shows a bold sentence, a plain one, and buttons: [label, deed, "main"?]. */
  show(bold, plain = "", buttons = []) {
    this.deeds = buttons.map(([, deed]) => deed);
    const [text, labels] = [JSON.stringify([bold, plain]), JSON.stringify(buttons.map(([label]) => label))];
    if (text !== this.said) this.text.replaceChildren(h("b", {}, bold), plain);
    // Buttons stay while their words do: a press on one is not lost when the text changes.
    if (labels !== this.labels) {
      this.element.replaceChildren(this.text, ...buttons.map(([label, , kind], at) =>
        h("button", { type: "button", class: `btn ${kind ?? ""}`, onclick: () => this.deeds[at]() }, label)));
    }
    Object.assign(this, { said: text, labels });
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
