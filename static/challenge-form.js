// The form in which a challenge is made.
import { post } from "./api.js";
import { goTo } from "./call.js";
import { choose, h, toast, toggle } from "./dom.js";
import { GameChoice } from "./game-choice.js";
import { OpponentChoice } from "./opponent-choice.js";
import { RangeControl } from "./range-control.js";
import { TimeChoice } from "./time-choice.js";
import { knows, say } from "./words.js";

const HOUR_MS = 3600000;
const EXPIRY_MS = { "10m": HOUR_MS / 6, "1h": HOUR_MS, "1d": 24 * HOUR_MS, "3d": 72 * HOUR_MS, "14d": 336 * HOUR_MS };
/** How long it may stay open, and how long it usually does: a game of days has more time. */
const EXPIRIES = { live: [["10m", "1h", "1d"], "1h"], daily: [["1d", "3d", "14d"], "14d"] };

const SENDS = { list: "form.post", named: "form.send", link: "form.makelink", open: "form.makelinks" };

export class ChallengeForm {
  /** @type {boolean} */ guest;
  /** @type {() => number} */ now;
  /** @type {(challenge: Challenge) => unknown} */ posted;
  /** @type {boolean} */ wished;
  /** @type {boolean} */ provisional;
  /** @type {boolean} */ many;
  /** @type {string} */ pace;
  /** @type {string} */ expiry;

  /**
   * `to` is a name to challenge, `now()` is the server's time, `posted(challenge)` is told of success.
   * @param {Catalogue} variants
   * @param {Account} me
   * @param {{ now: () => number, posted: (challenge: Challenge) => unknown, to?: string | null }} how
   */
  constructor(variants, { guest, perfs }, { now, posted, to }) {
    Object.assign(this, { guest, now, posted, wished: true, provisional: true, many: false });
    this.range = new RangeControl();
    this.opponent = new OpponentChoice(to, () => this.draw());
    this.times = new TimeChoice(() => this.draw());
    this.games = new GameChoice(variants, (key) => this.range.you(perfs[key].rating));
    this.rated = toggle(say("form.rated"), !guest, (on) => {
      this.wished = on;
    });
    this.casual = h("p", { class: "small weak", id: `casual-${OpponentChoice.count}` });
    this.rated.setAttribute("aria-describedby", this.casual.id);
    this.standing = toggle(say("form.standing"), false, (on) => {
      this.many = on;
    }, say("form.standingWhy"));
    this.open = h("fieldset", {});
    this.wrong = h("p", { class: "wrong", role: "alert" });
    this.send = h("button", { class: "btn main big", type: "submit" });
    const newcomers = toggle(say("form.new"), true, (on) => {
      this.provisional = on;
    }, say("form.settling"));
    this.element = h("form", { class: "card new", novalidate: true, onsubmit: (event) => this.submit(event) },
      h("h2", {}, say("form.title")), this.opponent.element, this.games.element, this.times.element, this.standing, this.range.element, newcomers,
      h("div", { class: "why-off" }, this.rated, this.casual), this.games.details, this.open, this.wrong, this.send);
    this.games.draw();
    this.draw();
  }

  /** Shows what the choices leave to be chosen. */
  draw() {
    const { road } = this.opponent;
    this.games.setSeats(road !== "open");
    const why = this.guest ? say("form.signup") : this.times.has("none") ? say("form.noclockCasual") : "";
    this.casual.textContent = why;
    this.casual.hidden = !why;
    this.rated.setAttribute("aria-disabled", String(Boolean(why)));
    this.rated.setAttribute("aria-checked", String(this.isRated()));
    this.standing.hidden = !this.isStandable();
    this.drawExpiry(this.times.isDaily() ? "daily" : "live");
    this.send.textContent = say(SENDS[road]);
  }

  drawExpiry(pace) {
    if (this.pace === pace) return;
    this.pace = pace;
    const [keys, usual] = EXPIRIES[pace];
    this.expiry = usual;
    this.open.replaceChildren(h("legend", {}, say("form.expiry")), choose("seg", say("form.expiry"), keys.map((key) => [key, say(`form.${key}`)]), usual, (expiry) => {
      this.expiry = expiry;
    }));
  }

  /** What is wished comes back when nothing stands in its way any more. */
  isRated() {
    return this.wished && !this.guest && !this.times.has("none");
  }

  isStandable() {
    return this.times.isDaily() && ["list", "link"].includes(this.opponent.road);
  }

  fields(ratingRange) {
    const standing = this.isStandable() && this.many ? { standing: true } : {};
    const terms = { rated: this.isRated(), ratingRange, provisional: this.provisional ? "allow" : "deny", expiresAt: Math.round(this.now()) + EXPIRY_MS[this.expiry] };
    return { ...this.games.fields(), ...this.times.fields(), ...this.opponent.fields(), ...terms, ...standing };
  }

  async submit(event) {
    event.preventDefault();
    this.wrong.textContent = "";
    if (!this.opponent.isWhole()) return;
    const ratingRange = this.range.value();
    if (ratingRange === null) return void this.range.focus();
    if (this.send.classList.contains("busy")) return;
    this.send.classList.add("busy");
    try {
      const challenge = await post(this.opponent.path(), this.fields(ratingRange));
      // Links are to be had on the challenge's own page.
      if (["link", "open"].includes(this.opponent.road)) return void goTo(challenge.id);
      this.posted(challenge);
      toast(say("form.posted"));
    } catch (refused) {
      this.wrong.textContent = this.refusal(refused);
    }
    this.send.classList.remove("busy");
  }

  refusal({ status, reason, message }) {
    if (status === 404) return say("form.nobody", { name: this.opponent.name.value.trim() });
    if (this.opponent.road === "named" && knows(`named.${reason}`)) return say(`named.${reason}`);
    return message;
  }
}
