// Whom a challenge is for: everybody, somebody by name, whoever has a link, or two others.
import { get } from "./api.js";
import { choose, h } from "./dom.js";
import { say } from "./words.js";

/** Letters from which on names are looked for, and how long the hand has to rest before. */
const LETTERS_MIN = 2;
const REST_MS = 200;

const ROADS = ["list", "named", "link", "open"];

export class OpponentChoice {
  /** @type {number} */ resting;

  /**
   * `name` is who is challenged from the beginning, if anybody; `changed(road)` is told of another road.
   * @param {string | null | undefined} name
   * @param {(road: string) => unknown} changed
   */
  constructor(name, changed) {
    this.road = name ? "named" : "list";
    this.names = h("datalist", { id: `names-${OpponentChoice.count++}` });
    this.name = h("input", { name: "opponent", list: this.names.id, value: name ?? "", maxlength: 21, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    this.name.addEventListener("input", () => this.suggest());
    this.field = h("label", { class: "field" }, say("form.name"), this.name, this.names);
    this.note = h("p", { class: "small weak" });
    const group = choose("seg four", say("form.against"), ROADS.map((road) => [road, say(`road.${road}`)]), this.road, (road) => {
      this.road = road;
      this.draw();
      changed(road);
      if (road === "named") this.name.focus();
    });
    this.element = h("fieldset", {}, h("legend", {}, say("form.against")), group, this.field, this.note);
    this.draw();
  }

  /** The form is there twice while it is open as a sheet; lists of names are not shared. */
  static count = 0;

  draw() {
    this.field.hidden = this.road !== "named";
    this.note.textContent = say(`road.${this.road}Why`);
    this.name.removeAttribute("aria-invalid");
  }

  suggest() {
    this.name.removeAttribute("aria-invalid");
    clearTimeout(this.resting);
    const term = this.name.value.trim();
    if (term.length < LETTERS_MIN) return;
    this.resting = setTimeout(async () => {
      const names = await get(`/api/player/autocomplete?term=${encodeURIComponent(term)}`).catch(() => []);
      this.names.replaceChildren(...names.map((value) => h("option", { value })));
    }, REST_MS);
  }

  /** Whether somebody is named where somebody has to be; if not, that is where the focus goes. */
  isWhole() {
    const whole = this.road !== "named" || this.name.value.trim() !== "";
    if (!whole) {
      this.name.setAttribute("aria-invalid", "true");
      this.name.focus();
    }
    return whole;
  }

  /** Where it is sent, and what that road adds. */
  path() {
    const paths = { named: `/api/challenge/${encodeURIComponent(this.name.value.trim())}`, open: "/api/challenge/open" };
    return paths[this.road] ?? "/api/challenge";
  }

  fields() {
    return this.road === "link" ? { listed: false } : {};
  }
}
