// Tokens with which programs play and ask in one's name.
import { get, post, remove } from "./api.js";
import { copyField } from "./copy.js";
import { agoText, dayText } from "./dates.js";
import { h } from "./dom.js";
import { Fetched } from "./fetched.js";
import { deed, field, form } from "./fields.js";
import { say } from "./words.js";

const SCOPES = ["board:play", "bot:play", "challenge:read", "challenge:write"];

const row = ({ id, description, scopes, createdAt, usedAt }, again) => [
  h("span", { class: "what" }, h("b", {}, description || say("token.unnamed")), h("span", { class: "small soft" }, scopes.join(", ") || say("token.noScopes")),
    h("span", { class: "small weak" }, say("token.made", { date: dayText(createdAt) }), " · ", usedAt ? say("token.used", { ago: agoText(usedAt) }) : say("token.unused"))),
  deed(say("token.delete"), async () => {
    await remove(`/api/token?id=${encodeURIComponent(id)}`);
    await again();
  }),
];

/** The tokens, and the form for a new one, which is shown this once. */
export const tokensSection = () => {
  const list = new Fetched(say("token.title"), async () => (await get("/api/token")).tokens, row, say("token.none"));
  const description = h("input", { name: "description", maxlength: 100, autocomplete: "off" });
  const boxes = SCOPES.map((scope) => h("input", { type: "checkbox", name: "scope", value: scope }));
  const scopes = h("fieldset", { class: "checks" }, h("legend", {}, say("token.scopes")),
    ...boxes.map((box) => h("label", {}, box, h("span", {}, say(`token.scope.${box.value}`), h("span", { class: "small weak code" }, ` ${box.value}`)))));
  const fresh = h("div", { class: "fresh", role: "status" });
  const make = async (element) => {
    const { token } = await post("/api/token", { description: description.value, scopes: boxes.filter(({ checked }) => checked).map(({ value }) => value) });
    fresh.replaceChildren(h("p", {}, h("b", {}, say("token.once"))), copyField(say("token.token"), token));
    element.reset();
    await list.again();
  };
  return h("section", { class: "card own", id: "tokens" }, h("h2", {}, say("token.title")),
    h("p", { class: "small soft" }, say("token.lead"), " ", h("a", { href: "/api/docs" }, say("token.docs"))), list.element, fresh,
    h("details", {}, h("summary", {}, say("token.new")), form([field(say("token.description"), description), scopes], say("token.create"), make)));
};
