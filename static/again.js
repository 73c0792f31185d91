// For those who watch: that the same two play once more, and the way there.
import { goTo } from "./call.js";
import { h } from "./dom.js";
import { settle } from "./settle.js";
import { say } from "./words.js";

export class Again {
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ id;

  /**
   * `changed()` is told when there is something else to say.
   * @param {() => unknown} changed
   */
  constructor(changed) {
    Object.assign(this, { changed, id: null });
    this.element = h("p", { class: "again", role: "status" });
  }

  /** Takes the id of the next game, if there is one. */
  take(id) {
    if (!id || id === this.id) return;
    this.id = id;
    const link = h("a", { class: "btn", href: `/${id}` }, say("rematch.watch"));
    this.element.replaceChildren(link);
    settle([link]);
    this.changed();
  }

  /** What is to be said and pressed, as the hint has it. */
  words() {
    const { id } = this;
    return id ? [say("rematch.begun"), [[say("rematch.look"), () => goTo(id)]]] : [];
  }
}
