// One challenge in the list.
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { rangeBar } from "./range-bar.js";
import { knows, say, variantName } from "./words.js";

/** Why the viewer may not accept, in words with numbers. */
export const whyNot = ({ ineligibleReason: reason, ratingRange: { min, max } }, you) =>
  say(knows(`why.${reason}`) ? `why.${reason}` : "why.notForYou", { you, min, max });

/** Why an acceptance was refused, in words with numbers: the rating is what it was just then. */
export const refusalText = (refused, challenge) =>
  refused.body?.rating === undefined ? refused.message : whyNot({ ...challenge, ineligibleReason: refused.reason }, refused.body.rating);

/** A time control in words. */
export const timeText = ({ type, show }) => (type === "clock" ? show : say("card.unlimited"));

/** How long until a moment, in words. */
export const leftText = (until, now) => {
  const minutes = Math.max(1, Math.round((until - now) / 60000));
  if (minutes >= 2880) return say("wait.days", { n: Math.round(minutes / 1440) });
  return minutes >= 90 ? say("wait.hours", { n: Math.round(minutes / 60) }) : say("wait.minutes", { n: minutes });
};

/** The options that are not the usual ones, and the side the viewer plays, in words: what is left, or the own choice. */
export const detailsOf = (challenge, variant, own) => {
  const unusual = variant.options.filter(({ key, default: usual }) => challenge.options[key] !== usual);
  const options = unusual.map(({ key }) => `${say(`option.${key}`)} ${say(`option.${key}.${challenge.options[key]}`)}`);
  const side = challenge.color === "random" ? null : variant.sides[(challenge.color === "first") === own ? 0 : 1];
  return [...options, side && say("card.side", { side: say(`side.${side}`) })].filter(Boolean);
};

/** The seal of the shuffle, short; the whole of it stands on the challenge's own page. */
const sealOf = ({ id, shuffle }) => h("a", { class: "seal small", href: `/${id}`, title: `${say("shuffle.commitment")}: ${shuffle.commitment}` }, `${say("shuffle.commitment")} ${shuffle.commitment.slice(0, 8)}…`);

const personText = ({ name, rating, provisional, guest }) => `${name} ${guest ? say("card.guest") : rating}${provisional && !guest ? "?" : ""}`;

/** A card; `you` is the viewer's rating in the variant, `accept` and `withdraw` what the buttons do. */
export const card = (challenge, variant, you, { accept, withdraw }) => {
  const own = challenge.ineligibleReason === "own";
  const grey = !challenge.eligible && !own;
  const why = h("span", { class: "why", id: `why-${challenge.id}` }, grey ? whyNot(challenge, you) : own ? say("card.yours", { left: leftText(challenge.expiresAt, Date.now()) }) : "");
  const busy = (deed) => async (event) => {
    event.currentTarget.classList.add("busy");
    await deed(challenge);
    event.target.classList.remove("busy");
  };
  const deed = grey ? why
    : own ? h("span", {}, why, h("button", { class: "btn quiet", type: "button", onclick: busy(withdraw) }, say("card.withdraw")))
      : h("button", { class: "btn", type: "button", onclick: busy(accept) }, say("card.accept"));
  const details = detailsOf(challenge, variant, own);
  return h("li", { class: grey ? "challenge grey" : "card challenge", "data-id": challenge.id, "aria-describedby": grey ? why.id : undefined },
    h("span", { class: "glyph" }, icon(challenge.variant.key)),
    h("span", { class: "who" }, h("b", {}, variantName(variant)), h("span", { class: "soft small num" }, personText(challenge.challenger)), details.length > 0 && h("span", { class: "soft small" }, details.join(" · ")), challenge.shuffle && sealOf(challenge)),
    h("span", { class: "time num" }, h("b", {}, timeText(challenge.timeControl)), h("span", { class: "soft small" }, say(challenge.rated ? "card.rated" : "card.casual"))),
    rangeBar(challenge.ratingRange, you, challenge.eligible || own), h("span", { class: "deed" }, deed));
};
