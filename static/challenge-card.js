// One challenge in the list.
import { h } from "./dom.js";
import { deed } from "./fields.js";
import { icon } from "./glyphs/index.js";
import { rangeBar } from "./range-bar.js";
import { countdown } from "./ready.js";
import { detailsOf, isOwn, kindText, leftText, personText, timeText, whyNot, waiterName } from "./terms.js";
import { say, variantName } from "./words.js";

/**
 * The seal of the shuffle, short; the whole of it stands on the challenge's own page.
 * @param {{ id: string, shuffle?: Shuffle }} challenge
 */
const sealOf = ({ id, shuffle }) => h("a", { class: "seal small", href: `/${id}`, title: `${say("shuffle.commitment")}: ${shuffle?.commitment}` }, `${say("shuffle.commitment")} ${shuffle?.commitment.slice(0, 8)}…`);

/** The game that is offered, or each of several as a chip. */
const gamesOf = ({ choices: { variants } }, catalogue) => {
  const names = variants.map(({ variant: { key } }) => [key, variantName(catalogue.get(key))]);
  if (names.length === 1) return h("b", {}, names[0][1]);
  return h("span", { class: "chips" }, ...names.map(([key, name]) => h("span", { class: "chip" }, icon(key), name)));
};

const timesOf = ({ choices: { clocks } }) => {
  if (clocks.length === 1) return h("b", {}, timeText(clocks[0].timeControl));
  const short = (time) => (time.type === "correspondence" ? say("days.d", { d: time.daysPerTurn }) : timeText(time));
  return h("span", { class: "chips" }, ...clocks.map(({ timeControl }) => h("span", { class: "chip", title: timeText(timeControl) }, short(timeControl))));
};

/**
 * What the viewer can do with it; `stage` is grey, taking (by somebody), waiting (for the maker), own or open.
 * @type {(challenge: Challenge, stage: string, why: HTMLElement, seen: any, deeds: any) => Child[]}
 */
const deedOf = (challenge, stage, why, { readyBy, now }, { accept, withdraw, decline, leave }) => {
  if (stage === "grey" || stage === "taking") return [why];
  if (stage === "waiting") return [countdown("ready.waiting", waiterName(challenge), readyBy, now), deed(say("ready.cancel"), async () => leave(challenge), "btn quiet")];
  if (stage === "own") return [why, ["link", "open"].includes(challenge.kind) && h("a", { class: "btn", href: `/${challenge.id}` }, say("card.link")), deed(say("card.withdraw"), async () => withdraw(challenge), "btn quiet")].filter(Boolean);
  const refuse = challenge.direction === "in" && deed(say("card.decline"), async () => decline(challenge), "btn quiet");
  return [why.textContent && why, deed(say("card.accept"), async () => accept(challenge)), refuse].filter(Boolean);
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
  const stage = readyBy ? "waiting" : own ? "own" : taking ? "taking" : challenge.eligible ? "open" : "grey";
  const told = taking ? say("card.taking") : stage === "grey" ? whyNot(challenge, you) : own ? say("card.yours", { left: leftText(challenge.expiresAt, now()) }) : "";
  const grey = ["grey", "taking"].includes(stage);
  const why = h("span", { class: "why", id: `why-${challenge.id}` }, note ?? told);
  const details = detailsOf(challenge, variant, own);
  const kind = kindText(challenge);
  // A direct challenge can be declined by whoever may not accept it.
  const decline = stage === "grey" && challenge.direction === "in" && deed(say("card.decline"), async () => deeds.decline(challenge), "btn quiet");
  return h("li", { class: grey ? "challenge grey" : "card challenge", "data-id": challenge.id, "aria-describedby": grey ? why.id : undefined },
    h("span", { class: "glyph" }, icon(variant.key)),
    h("span", { class: "who" }, gamesOf(challenge, catalogue), challenge.challenger && h("span", { class: "soft small num" }, personText(challenge.challenger)), kind && h("span", { class: "kind small" }, kind),
      details.length > 0 && h("span", { class: "soft small" }, details.join(" · ")), challenge.shuffle && sealOf(challenge)),
    h("span", { class: "time num" }, timesOf(challenge), h("span", { class: "soft small" }, say(challenge.rated ? "card.rated" : "card.casual"))),
    rangeBar(challenge.ratingRange, you, challenge.eligible || own),
    h("span", { class: "deed" }, ...deedOf(challenge, stage, why, seen, deeds), decline));
};
