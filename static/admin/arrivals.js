// Newcomers: the kinds that are allowed, slow mode, and the form that changes them. Used by
// admin.js.
import { h, toast, toggle } from "../lib/dom.js";
import { field, form } from "../lib/form.js";
import { get, post } from "../lib/http.js";
import { t } from "../lib/i18n.js";
import { reasonInput, reasonOf } from "./reason.js";

/** Switches in the order of the page. */
const KINDS = /** @type {const} */ (["guests", "accounts", "slow"]);

/** Loads the section. */
export const arrivalsSection = async () => {
  /** @type {Arrivals} */
  let stored = await get("/api/admin/arrivals");
  const switches = KINDS.map((kind) =>
    toggle(t(`mod.arrivals.${kind}`), stored[kind], () => {}, t(`mod.arrivals.${kind}Note`)),
  );
  const isOn = (/** @type {number} */ at) => switches[at].getAttribute("aria-checked") === "true";
  const reason = reasonInput();
  // Kinds that stay as they are may have been changed by another moderator.
  const changes = () =>
    KINDS.map((kind, at) => /** @type {const} */ ([kind, isOn(at)])).filter(
      ([kind, on]) => on !== stored[kind],
    );
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("mod.view.arrivals")),
    h("p", { class: "small soft" }, t("mod.arrivals.why")),
    form(
      [...switches, field(t("mod.reason"), reason, t("mod.reasonNote"))],
      t("mod.do"),
      async (element) => {
        if (changes().length === 0) throw new Error(t("mod.arrivals.same"));
        const change = { ...Object.fromEntries(changes()), reason: reasonOf(reason) };
        stored = await post("/api/admin/arrivals", change);
        KINDS.forEach((kind, at) =>
          switches[at].setAttribute("aria-checked", String(stored[kind])),
        );
        element.reset();
        toast(t("mod.saved"));
      },
    ),
  );
};
