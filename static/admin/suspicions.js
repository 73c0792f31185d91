// Findings of the fair play reports: the open ones by person, and the form that dismisses one. Used
// by admin.js and person.js.
import { h, toast } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { field, form } from "../lib/form.js";
import { agoText } from "../lib/format-time.js";
import { get, post } from "../lib/http.js";
import { t } from "../lib/i18n.js";
import { userLink } from "./log.js";
import { reasonInput, reasonOf } from "./reason.js";

/**
 * Opens the form that dismisses a finding.
 * @param {number} number
 * @param {() => unknown} done
 */
const openDismissal = (number, done) =>
  openDialog(t("mod.dismissSuspicion"), (close) => {
    const reason = reasonInput();
    return form(
      [field(t("mod.reason"), reason, t("mod.reasonNote"))],
      t("mod.dismissSuspicion"),
      async () => {
        await post(`/api/admin/suspicions/${number}/dismiss`, { reason: reasonOf(reason) });
        close();
        toast(t("mod.saved"));
        done();
      },
    );
  });

/** @param {Suspicion} suspicion */
const suspicionRow = (suspicion) => {
  const { number, kind, id, name, otherId, other, gameCount, moveCount, value } = suspicion;
  const row = h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h("b", {}, t(`mod.suspicion.${kind}`)),
      h("span", {}, t(`mod.suspicion.${kind}Text`, { n: value, moves: moveCount })),
      otherId &&
        h(
          "span",
          {},
          h("a", { class: "admin-link", href: userLink(id) }, name),
          " · ",
          h("a", { class: "admin-link", href: userLink(otherId) }, other),
        ),
      h(
        "span",
        { class: "small weak" },
        t("mod.suspicionGames", { n: gameCount }),
        " · ",
        agoText(suspicion.foundAt),
      ),
      h(
        "span",
        { class: "small admin-games" },
        ...suspicion.games.flatMap((game) => [
          h("a", { class: "admin-link", href: `/${game}` }, game),
          " ",
        ]),
      ),
    ),
    h(
      "button",
      {
        class: "btn",
        type: "button",
        onclick: () => openDismissal(number, () => row.remove()),
      },
      t("mod.dismissSuspicion"),
    ),
  );
  return row;
};

/** @param {Suspicion[]} suspicions */
export const suspicionList = (suspicions) =>
  h("ol", { class: "account-list" }, ...suspicions.map(suspicionRow));

/** Loads the section. */
export const suspicionsSection = async () => {
  /** @type {Suspicion[]} */
  const suspicions = await get("/api/admin/suspicions");
  /** @type {Map<string, Suspicion[]>} */
  const people = new Map();
  for (const suspicion of suspicions) {
    const { id } = suspicion;
    people.set(id, [...(people.get(id) ?? []), suspicion]);
  }
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("mod.view.suspicions")),
    h("p", { class: "small soft" }, t("mod.suspicionsWhy")),
    people.size === 0 && h("p", { class: "soft" }, t("mod.noSuspicions")),
    ...[...people].map(([id, found]) =>
      h(
        "div",
        { class: "admin-report" },
        h("h3", {}, h("a", { class: "admin-link", href: userLink(id) }, found[0].name)),
        suspicionList(found),
      ),
    ),
  );
};
