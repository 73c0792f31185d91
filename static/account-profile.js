// What others read about somebody, and the password.
import { post } from "./api.js";
import { h, toast } from "./dom.js";
import { field, form, password } from "./fields.js";
import { say } from "./words.js";

const BIO_MAX = 400;
const LOCATION_MAX = 40;

/**
 * The words on one's own page.
 * @param {Account} me
 */
export const profileSection = ({ profile }) => {
  const bio = h("textarea", { name: "bio", rows: 4, maxlength: BIO_MAX }, profile?.bio ?? "");
  const location = h("input", { name: "location", maxlength: LOCATION_MAX, value: profile?.location ?? "" });
  return h("section", { class: "card own" }, h("h2", {}, say("account.profile")),
    form([field(say("account.bio"), bio, say("account.bioNote")), field(say("account.location"), location)], say("account.save"), async () => {
      await post("/api/account/profile", { bio: bio.value, location: location.value });
      toast(say("account.saved"));
    }));
};

/**
 * Another password; the server ends all other sessions with it.
 * @param {Account} me
 */
export const passwordSection = ({ username }) => {
  const old = password("current-password");
  const next = password("new-password");
  old.name = "old";
  next.name = "new";
  // A keeper of passwords wants to know whose it is.
  const whose = h("input", { class: "unseen", autocomplete: "username", value: username, readonly: true, tabindex: -1, "aria-hidden": "true" });
  return h("section", { class: "card own" }, h("h2", {}, say("account.password")),
    form([whose, field(say("account.old"), old), field(say("account.new"), next, say("account.passwordNote"))], say("account.change"), async (element) => {
      try {
        await post("/api/account/password", { old: old.value, new: next.value });
      } catch (refused) {
        // The same word stands for a wrong password and for one that is too short.
        throw refused.status === 403 && refused.reason === "badPassword" ? new Error(say("account.badOld")) : refused;
      }
      element.reset();
      toast(say("account.changed"));
    }));
};
