// What is seen of challenges: one axis of ratings, with a band for those who may accept and a tick for you, the ready check, in which
// who accepted waits half a minute for the maker to come, the card of one in the list, and which of them are shown.
import { personText, waiterName } from "./user-link.js";
import { post } from "../lib/http.js";
import { deed } from "../lib/dialog.js";
import { h, toggle } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { detailsOf, isOwn, kindText, leftText, timeText, whyNot } from "./challenge-text.js";
import { say, variantName } from "../lib/i18n.js";

/** The ends of the axis, unless somebody stands beyond them. */
export const LOW = 800;
export const HIGH = 2200;

/**
 * Where a rating stands on the axis, in percent.
 * @param {number} rating
 * @param {number} you
 * @returns {number}
 */
export const placeOf = (rating, you) => {
  const low = Math.min(LOW, you - 100);
  const high = Math.max(HIGH, you + 100);
  return (100 * (Math.min(high, Math.max(low, rating)) - low)) / (high - low);
};

/**
 * A range in words.
 * @param {RatingRange} range
 * @returns {string}
 */
export const rangeText = ({ min, max }) => {
  if (min === null && max === null) return say("card.any");
  if (max === null) return say("card.up", { min });
  if (min === null) return say("card.down", { max });
  return say("card.between", { min, max });
};

/**
 * The bar of a challenge, seen by somebody with that rating; `fits` is what the server says.
 * @param {RatingRange} range
 * @param {number} you
 * @param {boolean} fits
 */
export const rangeBar = (range, you, fits) => {
  const text = rangeText(range);
  const band = h("i", { class: "band" });
  band.style.left = `${range.min === null ? 0 : placeOf(range.min, you)}%`;
  band.style.right = `${range.max === null ? 0 : 100 - placeOf(range.max, you)}%`;
  const tick = h("i", { class: "tick" });
  tick.style.left = `${placeOf(you, you)}%`;
  const whole = `${say("range.says", { range: text })} ${say("range.you", { you })}`;
  return h(
    "span",
    { class: fits ? "range num" : "range num no", role: "img", "aria-label": whole },
    h("span", { class: "small soft" }, text),
    h("span", { class: "axis" }, band, tick),
  );
};

const leftOf = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/**
 * Says a phrase with the time that is left until then, which runs down; screen readers hear it once.
 * @param {string} key
 * @param {string | null} name
 * @param {number} until
 * @param {() => number} now
 */
export const countdown = (key, name, until, now) => {
  const text = h("span", { class: "num" }, name ? say(key, { name }) : say(key));
  const left = h("span", { class: "num", role: "timer", "aria-live": "off" });
  const draw = () => {
    left.textContent = leftOf(until - now());
  };
  const beat = setInterval(() => (left.isConnected ? draw() : clearInterval(beat)), 500);
  draw();
  return h("span", { class: "countdown" }, text, " ", left);
};

/**
 * Answers a ready check: the maker starts the game or not, the acceptor may only leave.
 * @param {string} id
 * @param {"yes" | "no"} answer
 */
export const answerReady = (id, answer) => post(`/api/challenge/${id}/ready`, { answer });

/**
 * The seal of the shuffle, short; the whole of it stands on the challenge's own page.
 * @param {{ id: string, shuffle?: Shuffle }} challenge
 */
const sealOf = ({ id, shuffle }) =>
  h(
    "a",
    {
      class: "seal small",
      href: `/${id}`,
      title: `${say("shuffle.commitment")}: ${shuffle?.commitment}`,
    },
    `${say("shuffle.commitment")} ${shuffle?.commitment.slice(0, 8)}…`,
  );

/** The game that is offered, or each of several as a chip. */
const gamesOf = ({ choices: { variants } }, catalogue) => {
  const names = variants.map(({ variant: { key } }) => [key, variantName(catalogue.get(key))]);
  if (names.length === 1) return h("b", {}, names[0][1]);
  return h(
    "span",
    { class: "chips" },
    ...names.map(([key, name]) => h("span", { class: "chip" }, icon(key), name)),
  );
};

const timesOf = ({ choices: { clocks } }) => {
  if (clocks.length === 1) return h("b", {}, timeText(clocks[0].timeControl));
  const short = (time) =>
    time.type === "correspondence" ? say("days.d", { d: time.daysPerTurn }) : timeText(time);
  return h(
    "span",
    { class: "chips" },
    ...clocks.map(({ timeControl }) =>
      h("span", { class: "chip", title: timeText(timeControl) }, short(timeControl)),
    ),
  );
};

/**
 * What the viewer can do with it; `stage` is grey, taking (by somebody), waiting (for the maker), own or open.
 * @type {(challenge: Challenge, stage: string, why: HTMLElement, seen: any, deeds: any) => Child[]}
 */
const deedOf = (challenge, stage, why, { readyBy, now }, { accept, withdraw, decline, leave }) => {
  if (stage === "grey" || stage === "taking") return [why];
  if (stage === "waiting")
    return [
      countdown("ready.waiting", waiterName(challenge), readyBy, now),
      deed(say("ready.cancel"), async () => leave(challenge), "btn quiet"),
    ];
  if (stage === "own")
    return [
      why,
      ["link", "open"].includes(challenge.kind) &&
        h("a", { class: "btn", href: `/${challenge.id}` }, say("card.link")),
      deed(say("card.withdraw"), async () => withdraw(challenge), "btn quiet"),
    ].filter(Boolean);
  const refuse =
    challenge.direction === "in" &&
    deed(say("card.decline"), async () => decline(challenge), "btn quiet");
  return [
    why.textContent && why,
    deed(say("card.accept"), async () => accept(challenge)),
    refuse,
  ].filter(Boolean);
};

/**
 * A card. `seen` is how the viewer sees it: `{ catalogue, me, now, readyBy, note }`, the last two while
 * they wait for its maker and while there is something to be told of it. `deeds` is what the buttons do.
 * @param {Challenge} challenge
 * @param {{ catalogue: Catalogue, me: Account, now: () => number, readyBy?: number, note?: string }} seen
 * @param {Record<"accept" | "withdraw" | "decline" | "leave", (challenge: Challenge) => unknown>} deeds
 * @returns {HTMLLIElement}
 */
export const card = (challenge, seen, deeds) => {
  const { catalogue, me, now, readyBy, note } = seen;
  const variant = catalogue.get(challenge.variant.key);
  const you = challenge.yourRating ?? me.perfs[variant.key].rating;
  const own = isOwn(challenge);
  const taking = Boolean(challenge.readyBy) && !readyBy;
  const stage = readyBy
    ? "waiting"
    : own
      ? "own"
      : taking
        ? "taking"
        : challenge.eligible
          ? "open"
          : "grey";
  const told = taking
    ? say("card.taking")
    : stage === "grey"
      ? whyNot(challenge, you)
      : own
        ? say("card.yours", { left: leftText(challenge.expiresAt, now()) })
        : "";
  const grey = ["grey", "taking"].includes(stage);
  const why = h("span", { class: "why", id: `why-${challenge.id}` }, note ?? told);
  const details = detailsOf(challenge, variant, own);
  const kind = kindText(challenge);
  // A direct challenge can be declined by whoever may not accept it.
  const decline =
    stage === "grey" &&
    challenge.direction === "in" &&
    deed(say("card.decline"), async () => deeds.decline(challenge), "btn quiet");
  return h(
    "li",
    {
      class: grey ? "challenge grey" : "card challenge",
      "data-id": challenge.id,
      "aria-describedby": grey ? why.id : undefined,
    },
    h("span", { class: "glyph" }, icon(variant.key)),
    h(
      "span",
      { class: "who" },
      gamesOf(challenge, catalogue),
      challenge.challenger &&
        h("span", { class: "soft small num" }, personText(challenge.challenger)),
      kind && h("span", { class: "kind small" }, kind),
      details.length > 0 && h("span", { class: "soft small" }, details.join(" · ")),
      challenge.shuffle && sealOf(challenge),
    ),
    h(
      "span",
      { class: "time num" },
      timesOf(challenge),
      h("span", { class: "soft small" }, say(challenge.rated ? "card.rated" : "card.casual")),
    ),
    rangeBar(challenge.ratingRange, you, challenge.eligible || own),
    h("span", { class: "deed" }, ...deedOf(challenge, stage, why, seen, deeds), decline),
  );
};

/** @param {Challenge} challenge */
export const rank = (challenge) =>
  challenge.direction === "in" ? 0 : challenge.challenger?.guest && !isOwn(challenge) ? 2 : 1;

/** Which of the open challenges are shown. */
export class ChallengeFilter {
  /** @type {string | null} */ variant;
  /** @type {boolean} */ hide;

  /**
   * `changed()` is told when others are to be shown.
   * @param {Catalogue} catalogue
   * @param {() => unknown} changed
   */
  constructor(catalogue, changed) {
    Object.assign(this, { variant: null, hide: false });
    this.head = h(
      "div",
      { class: "lobby-head" },
      h("h2", {}, say("lobby.title")),
      toggle(say("lobby.hide"), false, (hide) => {
        this.hide = hide;
        changed();
      }),
    );
    const games = [
      [null, say("lobby.all")],
      ...[...catalogue.values()].map((variant) => [variant.key, variantName(variant)]),
    ];
    const buttons = games.map(([key, name]) => {
      const button = h(
        "button",
        { type: "button", "aria-pressed": String(key === null) },
        key && icon(key),
        name,
      );
      button.addEventListener("click", () => {
        this.variant = key;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        changed();
      });
      return button;
    });
    this.games = h(
      "div",
      { class: "filters", role: "group", "aria-label": say("lobby.filter") },
      ...buttons,
    );
  }

  shows(challenge) {
    const fits =
      !this.variant ||
      challenge.choices.variants.some(({ variant }) => variant.key === this.variant);
    return fits && (!this.hide || challenge.eligible || isOwn(challenge));
  }
}
