// What a guest can do to be found again: a personal link, or a name.
import { post } from "./api.js";
import { copyField } from "./copy.js";
import { h } from "./dom.js";
import { deed } from "./fields.js";
import { say } from "./words.js";

const linkSection = () => {
  const place = h("div", { class: "fresh", role: "status" });
  const make = deed(say("guest.make"), async () => {
    const { url } = await post("/api/account/link");
    place.replaceChildren(copyField(say("guest.link"), url), h("p", { class: "small soft" }, say("guest.keep")));
  });
  return h("section", { class: "card own" }, h("h2", {}, say("guest.link")), h("p", {}, say("guest.linkWhy")), place, h("div", { class: "deeds" }, make));
};

/**
 * The invitation to sign up, and the link.
 * @param {Account} me
 */
export const guestSections = ({ username }) => [
  h("section", { class: "card own" }, h("h2", {}, say("guest.title", { name: username })), h("p", {}, say("guest.signup")),
    h("div", { class: "deeds" }, h("a", { class: "btn main", href: "/login" }, say("nav.signup")), h("a", { class: "btn quiet", href: "/login#login" }, say("login.have")))),
  linkSection(),
];
