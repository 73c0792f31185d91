// Closing the account: told plainly, and only with password and name.
import { post } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { field, form, password } from "./fields.js";
import { leaving } from "./me.js";
import { say } from "./words.js";

const CONSEQUENCES = ["account.closeLogin", "account.closeGames", "account.closePage", "account.closeForever"];

const ask = ({ username }) => openDialog(say("account.close"), () => {
  const secret = password("current-password");
  secret.name = "password";
  const typed = h("input", { name: "typed", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  return form([h("ul", { class: "soft" }, ...CONSEQUENCES.map((key) => h("li", {}, say(key)))), field(say("login.password"), secret), field(say("account.typeName", { name: username }), typed)], say("account.closeNow"), async () => {
    if (typed.value.trim().toLowerCase() !== username.toLowerCase()) throw new Error(say("account.typeWrong", { name: username }));
    leaving();
    try {
      await post("/api/account/close", { password: secret.value });
    } catch (refused) {
      throw refused.reason === "badPassword" ? new Error(say("account.badOld")) : refused;
    }
    location.assign("/");
  }, "btn danger");
});

/**
 * The way out.
 * @param {Account} me
 */
export const closeSection = (me) =>
  h("section", { class: "card own" }, h("h2", {}, say("account.close")), h("p", { class: "small soft" }, say("account.closeWhy")),
    h("div", { class: "deeds" }, h("button", { class: "btn", type: "button", onclick: () => ask(me) }, say("account.closeOpen"))));
