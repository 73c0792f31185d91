// Form that creates a challenge: recipient, games, time control, rating range and, behind "More",
// options, side and expiry. Fields that make no sense for the recipient are hidden. The recipient
// is the public list, a named player, the holder of a link, or two other players. Loaded by
// lobby.js on first use. A guest, or a game without a clock, can only be casual; the setting of the
// switch is remembered and applies again when the obstacle is removed.
import { post } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { asyncButton } from "../lib/form.js";
import { choiceGroup, h, toast, toggle } from "../lib/dom.js";
import { GameChoice } from "../common/game-choice.js";
import { OpponentChoice } from "./opponent-choice.js";
import "../lib/i18n-more.js";
import { TimeControlInput } from "../lib/choice.js";
import { RatingRangeInput } from "../common/rating-range-input.js";
import { hasPhrase, t } from "../lib/i18n.js";

const HOUR_MS = 3600000;
/** @type {Record<string, number>} */
const EXPIRY_MS = {
  "10m": HOUR_MS / 6,
  "1h": HOUR_MS,
  "1d": 24 * HOUR_MS,
  "3d": 72 * HOUR_MS,
  "7d": 168 * HOUR_MS,
  "14d": 336 * HOUR_MS,
};
/**
 * Selectable lifetimes of a challenge and the default; correspondence challenges live longer.
 * @type {Record<"live" | "daily" | "link", [keys: string[], fallback: string]>}
 */
const EXPIRIES = {
  live: [["10m", "1h", "1d"], "1h"],
  daily: [["1d", "3d", "14d"], "14d"],
  link: [["1h", "1d", "7d"], "7d"],
};

/**
 * Phrase keys of the submit button by recipient.
 * @type {Record<string, string>}
 */
const SUBMIT_KEYS = {
  list: "form.post",
  named: "form.send",
  link: "form.makelink",
  open: "form.makelinks",
};

/** Form for a new challenge. */
export class ChallengeForm {
  /** @type {Catalog} */ variants;
  /** @type {boolean} */ guest;
  /** @type {() => number} */ now;
  /** @type {(challenge: Challenge) => unknown} */ posted;
  /** Null without a choice of the player.
   * @type {boolean | null} */
  wantsRated;
  /** Null without a choice of the player.
   * @type {boolean | null} */
  wantsBots;
  /** @type {boolean} */ provisional;
  /** @type {boolean} */ wantsStanding;
  /** @type {string} */ expiryGroup;
  /** @type {string} */ expiry;

  /**
   * `now()` returns the server time in epoch milliseconds; `posted(challenge)` is called on
   * success; `to` is the name of a preselected opponent.
   * @param {Catalog} variants
   * @param {Account} me
   * @param {{
   *   now: () => number,
   *   posted: (challenge: Challenge) => unknown,
   *   to?: string | null,
   * }} options
   */
  constructor(variants, { guest, perfs }, { now, posted, to }) {
    Object.assign(this, { variants, guest, now, posted });
    Object.assign(this, { wantsRated: null, wantsBots: null });
    Object.assign(this, { wantsStanding: false, provisional: true });
    this.range = new RatingRangeInput();
    this.opponent = new OpponentChoice(to, () => this.draw());
    this.times = new TimeControlInput(() => this.draw());
    this.games = new GameChoice(variants, (key) => {
      const { rating, prov } = perfs[key];
      this.range.setRating(rating, !guest && Boolean(prov));
    });
    this.rated = toggle(t("form.rated"), !guest, (on) => {
      this.wantsRated = on;
      this.draw();
    });
    this.casual = h("p", { class: "small weak", id: `casual-${OpponentChoice.count}` });
    this.rated.setAttribute("aria-describedby", this.casual.id);
    this.standing = toggle(
      t("form.standing"),
      false,
      (on) => {
        this.wantsStanding = on;
      },
      t("form.standingWhy"),
    );
    this.open = h("fieldset", {});
    this.error = h("p", { class: "form-error", role: "alert" });
    this.send = h("button", { class: "btn btn-primary btn-large", type: "submit" });
    this.newcomers = toggle(
      t("form.new"),
      true,
      (on) => {
        this.provisional = on;
      },
      t("form.settling"),
    );
    this.bots = toggle(
      t("form.bots"),
      false,
      (on) => {
        this.wantsBots = on;
      },
      t("form.botsWhy"),
    );
    this.element = h(
      "form",
      {
        class: "card challenge-form",
        novalidate: true,
        onsubmit: (/** @type {SubmitEvent} */ event) => this.submit(event),
      },
      h("h2", {}, t("form.title")),
      this.opponent.element,
      this.games.element,
      this.times.element,
      this.range.element,
      h("div", { class: "challenge-form-rated" }, this.rated, this.casual),
      h(
        "details",
        { class: "challenge-form-more" },
        h("summary", {}, t("form.more")),
        h("div", {}, this.newcomers, this.bots, this.standing, this.games.details, this.open),
      ),
      this.error,
      h("div", { class: "sheet-foot" }, this.send),
      asyncButton(t("form.invite"), () => this.invite(), "btn btn-quiet"),
    );
    this.games.draw();
    this.draw();
  }

  /** Opens the dialog that invites a friend by link, with the chosen game. */
  async invite() {
    const { openInviteDialog } = await import("../common/invite-dialog.js");
    const chosen = this.games.selectedVariants();
    const key = chosen.length === 1 ? chosen[0].key : undefined;
    const { guest } = this;
    await openInviteDialog(this.variants, { guest }, { key, go: goToGame });
  }

  /** Updates the dependent fields after a change of any choice. */
  draw() {
    const { recipient } = this.opponent;
    this.games.enableSides(recipient !== "open");
    const explanation = this.guest
      ? t("form.signup")
      : this.times.isSelected("none")
        ? t("form.noclockCasual")
        : "";
    this.casual.textContent = explanation;
    this.casual.hidden = !explanation;
    this.rated.setAttribute("aria-disabled", String(Boolean(explanation)));
    this.rated.setAttribute("aria-checked", String(this.isRated()));
    this.standing.hidden = !this.canBeStanding();
    this.range.element.hidden = recipient === "named";
    this.newcomers.hidden = recipient === "named";
    this.bots.hidden = recipient === "named";
    this.bots.setAttribute("aria-checked", String(this.allowsBots()));
    this.drawExpiry(recipient === "link" ? "link" : this.times.isDaily() ? "daily" : "live");
    this.send.textContent = t(SUBMIT_KEYS[recipient]);
  }

  /**
   * Rebuilds the expiry choice if the group has changed, and selects the default.
   * @param {"live" | "daily" | "link"} group
   */
  drawExpiry(group) {
    if (this.expiryGroup === group) return;
    this.expiryGroup = group;
    const [keys, fallback] = EXPIRIES[group];
    this.expiry = fallback;
    this.open.replaceChildren(
      h("legend", {}, t("form.expiry")),
      choiceGroup(
        "segmented",
        t("form.expiry"),
        keys.map((key) => [key, t(`form.${key}`)]),
        fallback,
        (expiry) => {
          this.expiry = expiry;
        },
      ),
    );
  }

  /**
   * Returns whether the game is rated: the setting of the switch, unless rated play is impossible.
   * Anyone may accept an invitation by link, guests as well, unless the player chooses otherwise.
   */
  isRated() {
    const isWanted = this.wantsRated ?? this.opponent.recipient !== "link";
    return isWanted && !this.guest && !this.times.isSelected("none");
  }

  /** Returns whether bots may accept: the setting of the switch, by default in casual games. */
  allowsBots() {
    return this.wantsBots ?? !this.isRated();
  }

  /** Returns whether the challenge may stay open after it has been accepted. */
  canBeStanding() {
    return this.times.isDaily() && ["list", "link"].includes(this.opponent.recipient);
  }

  /**
   * Returns the body of the request.
   * @param {string} ratingRange
   */
  fields(ratingRange) {
    const standing = this.canBeStanding() && this.wantsStanding ? { standing: true } : {};
    const terms = {
      rated: this.isRated(),
      ...this.requirement(ratingRange),
      expiresAt: Math.round(this.now()) + EXPIRY_MS[this.expiry],
    };
    return {
      ...this.games.fields(),
      ...this.times.fields(),
      ...this.opponent.fields(),
      ...terms,
      ...standing,
    };
  }

  /**
   * Returns the fields of the requirement on the other player: a named one needs to meet none.
   * @param {string} ratingRange
   */
  requirement(ratingRange) {
    if (this.opponent.recipient === "named") return { ratingRange: "", provisional: "allow" };
    return {
      ratingRange,
      provisional: this.provisional ? "allow" : "deny",
      bots: this.allowsBots() ? "allow" : "deny",
    };
  }

  /** Returns what happens after the challenge is posted. */
  postedText() {
    if (this.opponent.recipient === "named") return t("form.postedNamed");
    return t(this.times.isDaily() ? "form.postedDays" : "form.posted");
  }

  /**
   * Asks above the list whether the browser may announce the acceptance.
   * @param {Challenge} challenge
   */
  askForPush(challenge) {
    const list = document.querySelector(".lobby") ?? this.element;
    import("../common/push-question.js")
      .then(({ askAfterPosting }) =>
        askAfterPosting(challenge, this.now(), (question) => list.before(question)),
      )
      .catch(() => {});
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    this.error.textContent = "";
    if (!this.opponent.validate()) return;
    const ratingRange = this.opponent.recipient === "named" ? "" : this.range.value();
    if (ratingRange === null) return void this.range.focus();
    if (this.send.classList.contains("is-busy")) return;
    this.send.classList.add("is-busy");
    try {
      const challenge = await post(this.opponent.path(), this.fields(ratingRange));
      // The challenge's own page shows its links.
      if (["link", "open"].includes(this.opponent.recipient)) return void goToGame(challenge.id);
      this.posted(challenge);
      toast(this.postedText());
      this.askForPush(challenge);
    } catch (refused) {
      this.error.textContent = this.refusal(refused);
    }
    this.send.classList.remove("is-busy");
  }

  /**
   * Returns the sentence for a refused request.
   * @param {import("../lib/http.js").ApiError} refused
   */
  refusal({ status, reason, message }) {
    if (status === 404) return t("form.nobody", { name: this.opponent.name.value.trim() });
    if (this.opponent.recipient === "named" && hasPhrase(`named.${reason}`))
      return t(`named.${reason}`);
    return message;
  }
}
