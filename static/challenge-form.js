// The form in which a challenge is made.
import { post } from "./api.js";
import { choose, h, toast, toggle } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { RangeControl } from "./range-control.js";
import { say, variantName } from "./words.js";

const CLOCKS = ["3+2", "5+3", "10+5"];
const EXPIRY_MS = { "10m": 600000, "1h": 3600000, "1d": 86400000 };

const labelled = (label, ...children) => h("fieldset", {}, h("legend", {}, label), ...children);

/** A form for those variants; `perfs` are the maker's ratings, `now()` is the server's time, `posted(challenge)` is told of success. */
export const challengeForm = (variants, { guest, perfs }, now, posted) => {
  const state = { variant: [...variants.keys()][0], time: "5+3", rated: !guest, provisional: true, color: "random", expiry: "1h", options: {} };
  const range = new RangeControl();
  const own = h("div", {});
  const minutes = h("input", { type: "number", min: 0, max: 180, value: 15 });
  const seconds = h("input", { type: "number", min: 0, max: 180, value: 10 });
  const otherTime = h("div", { class: "two", hidden: true }, h("label", { class: "field" }, say("form.minutes"), minutes), h("span", {}), h("label", { class: "field" }, say("form.increment"), seconds));
  const wrong = h("p", { class: "wrong", role: "alert" });
  const legend = h("legend", {});

  const setVariant = (key) => {
    state.variant = key;
    const variant = variants.get(key);
    legend.textContent = say("form.game", { name: variantName(variant) });
    range.you(perfs[key].rating);
    state.options = Object.fromEntries(variant.options.map(({ key: option, default: usual }) => [option, usual]));
    state.color = "random";
    const sides = [["random", say("form.random")], ...variant.sides.map((side, at) => [at ? "second" : "first", say(`side.${side}`)])];
    const options = variant.options.map(({ key: option, values, default: usual }) => {
      const choices = values.map((value) => h("option", { value: String(value), selected: value === usual }, say(`option.${option}.${value}`)));
      const change = (event) => {
        state.options[option] = event.target.value;
      };
      return h("label", { class: "field" }, say(`option.${option}`), h("select", { name: option, onchange: change }, ...choices));
    });
    own.replaceChildren(...options, labelled(say("form.side"), choose("seg", say("form.side"), sides, "random", (color) => {
      state.color = color;
    })));
  };

  const clock = () => {
    if (state.time === "none") return {};
    const [limit, increment] = state.time === "other" ? [minutes.value, seconds.value] : state.time.split("+");
    return { "clock.limit": Math.round(60 * Number(limit)), "clock.increment": Number(increment) };
  };

  const send = h("button", { class: "btn main big", type: "submit" }, say("form.post"));
  const submit = async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    const ratingRange = range.value();
    if (ratingRange === null) return range.focus();
    if (send.classList.contains("busy")) return undefined;
    send.classList.add("busy");
    const options = Object.fromEntries(Object.entries(state.options).map(([key, value]) => [`options.${key}`, value]));
    const fields = { variant: state.variant, rated: state.rated, color: state.color, ratingRange, provisional: state.provisional ? "allow" : "deny", expiresAt: Math.round(now()) + EXPIRY_MS[state.expiry] };
    try {
      posted(await post("/api/challenge", { ...fields, ...clock(), ...options }));
      toast(say("form.posted"));
    } catch (refused) {
      wrong.textContent = refused.message;
    }
    send.classList.remove("busy");
    return undefined;
  };

  const games = [...variants.values()].map((variant) => [variant.key, icon(variant.key), variantName(variant)]);
  const times = [...CLOCKS.map((show) => [show, show]), ["none", say("form.noclock")], ["other", say("form.other")]];
  const rated = toggle(say("form.rated"), state.rated, (on) => {
    state.rated = on;
  }, guest && say("form.signup"));
  if (guest) rated.setAttribute("aria-disabled", "true");
  setVariant(state.variant);
  return h("form", { class: "card new", novalidate: true, onsubmit: submit },
    h("h2", {}, say("form.title")),
    h("fieldset", {}, legend, choose("pick", say("lobby.filter"), games, state.variant, setVariant)),
    labelled(say("form.time"), choose("seg num", say("form.time"), times, state.time, (time) => {
      state.time = time;
      otherTime.hidden = time !== "other";
    }), otherTime),
    range.element,
    toggle(say("form.new"), true, (on) => {
      state.provisional = on;
    }, say("form.settling")),
    rated, own,
    labelled(say("form.expiry"), choose("seg", say("form.expiry"), Object.keys(EXPIRY_MS).map((key) => [key, say(`form.${key}`)]), state.expiry, (expiry) => {
      state.expiry = expiry;
    })),
    wrong, send);
};
