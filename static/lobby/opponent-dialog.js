// The dialog that asks for the opponent of a game: a person, the computer or a friend. Loaded with
// its first use.
import { openDialog } from "../lib/dialog.js";
import { showError } from "../lib/form.js";
import { h, iconSvg } from "../lib/dom.js";
import { PEOPLE } from "../lib/icons.js";
import { t, variantName } from "../lib/i18n.js";
import "../lib/i18n-more.js";

/** @typedef {import("./quick-play.js").PlayMode} PlayMode */

/**
 * Ways to play, with the path data of their icons.
 * @type {Record<PlayMode, string>}
 */
const ICONS = {
  person: PEOPLE,
  computer: "M5 5h14v10H5zM9 20h6M12 15v5M9 9v2M15 9v2",
  friend:
    "M10 14a4 4 0 0 1 0-5.6l3-3a4 4 0 0 1 5.6 5.6l-1.5 1.6M14 10a4 4 0 0 1 0 5.6l-3 3A4 4 0 0 1 5.4 13l1.5-1.6",
};

/**
 * Returns the number of open challenges for a variant whose game can begin at once.
 * @param {import("./quick-play.js").QuickPlay} quick
 * @param {string} key
 */
const waitingCount = (quick, key) =>
  quick
    .open()
    .filter(
      ({ choices, eligible, creatorPresent }) =>
        eligible &&
        creatorPresent &&
        choices.clocks.some(({ timeControl }) => timeControl.type === "clock") &&
        choices.variants.some(({ variant }) => variant.key === key),
    ).length;

/**
 * Returns the description of a way to play; for a person with the number of waiting players.
 * @param {import("./quick-play.js").QuickPlay} quick
 * @param {PlayMode} name
 * @param {string} key
 */
const description = (quick, name, key) => {
  const n = name === "person" ? waitingCount(quick, key) : 0;
  return n ? t("quick.waiting", { n }) : t(`quick.${name}Why`);
};

/**
 * @param {import("./quick-play.js").QuickPlay} quick
 * @param {Variant} variant
 */
export const openOpponentDialog = (quick, variant) => {
  const { key } = variant;
  const dialog = openDialog(variantName(variant), (close) => {
    const choiceButton = (/** @type {PlayMode} */ name) =>
      h(
        "button",
        {
          class: "opponent-choice",
          type: "button",
          "data-opponent": name,
          onclick: () => {
            close();
            quick[name](key).catch(showError);
          },
        },
        iconSvg(ICONS[name]),
        h(
          "span",
          {},
          h("b", {}, t(`quick.${name}`)),
          h("span", { class: "small soft" }, description(quick, name, key)),
        ),
      );
    const modes = /** @type {PlayMode[]} */ (Object.keys(ICONS));
    const pass = h("a", { class: "btn btn-quiet", href: `/pass-and-play/${key}` }, t("pass.link"));
    return h("div", { class: "opponent-choices" }, modes.map(choiceButton), pass);
  });
  /** @type {HTMLElement} */ (dialog.querySelector(".opponent-choice")).focus({
    preventScroll: true,
  });
};
