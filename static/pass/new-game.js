// Form of a new game on one device: the game, its options, and the names of both players. It stands
// on the page without a game, and in a dialog during one. Created by pass.js.
import { GameChoice } from "../common/game-choice.js";
import { openDialog } from "../lib/dialog.js";
import { form } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { sideName, t } from "../lib/i18n.js";

const NAME_MAX = 20;

/** @type {Side[]} */
const SIDES = ["first", "second"];

/**
 * Choices of a new game.
 * @typedef {object} NewGame
 * @property {Variant} variant
 * @property {Options} options
 * @property {string} first
 * @property {string} second
 */

/**
 * Returns the fields of the names; their labels follow the sides of the chosen variant.
 * @param {Partial<NewGame>} last
 */
const nameFields = (last) => {
  const labels = SIDES.map(() => document.createTextNode(""));
  const inputs = SIDES.map((side) =>
    h("input", {
      name: side,
      value: last[side] ?? "",
      maxlength: NAME_MAX,
      autocomplete: "off",
      spellcheck: "false",
    }),
  );
  return {
    element: h(
      "div",
      { class: "pass-names" },
      ...inputs.map((input, at) => h("label", { class: "field" }, labels[at], input)),
    ),
    inputs,
    /** @param {Variant} variant */
    show: (variant) =>
      SIDES.forEach((side, at) => {
        labels[at].data = t("pass.name", { side: sideName(variant, side) });
      }),
  };
};

/**
 * Returns the options of a variant with the types of its values: form fields are texts.
 * @param {Variant} variant
 * @param {Record<string, unknown>} chosen
 * @returns {Options}
 */
const typedOptions = ({ options }, chosen) =>
  Object.fromEntries(
    options.map(({ key, values, default: fallback }) => [
      key,
      values.find((value) => String(value) === String(chosen[key])) ?? fallback,
    ]),
  );

/**
 * Returns the form; `start(game)` begins the game and may reject.
 * @param {Catalog} catalog
 * @param {Partial<NewGame>} last  preselected values
 * @param {(game: NewGame) => Promise<unknown>} start
 * @param {...Child} notes
 */
export const newGameForm = (catalog, last, start, ...notes) => {
  const names = nameFields(last);
  const games = new GameChoice(
    catalog,
    (key) => names.show(/** @type {Variant} */ (catalog.get(key))),
    false,
  );
  games.enableSides(false);
  const options = Object.entries(last.options ?? {}).map(([key, value]) => [
    `options.${key}`,
    value,
  ]);
  games.restore({
    variant: last.variant?.key ?? "",
    color: "random",
    ...Object.fromEntries(options),
  });
  const send = () => {
    const [variant] = games.selectedVariants();
    const [first, second] = names.inputs.map(({ value }) => value.trim());
    return start({ variant, options: typedOptions(variant, games.options), first, second });
  };
  const element = form(
    [...notes, games.element, games.details, names.element],
    t("pass.start"),
    send,
    "btn btn-primary btn-large",
  );
  element.classList.add("challenge-form", "pass-form");
  return element;
};

/**
 * Opens the form in a dialog.
 * @param {Catalog} catalog
 * @param {Partial<NewGame>} last
 * @param {{ isPlaying: boolean, start: (game: NewGame) => Promise<unknown> }} options
 */
export const openNewGame = (catalog, last, { isPlaying, start }) => {
  const dialog = openDialog(t("pass.new"), (close) =>
    newGameForm(
      catalog,
      last,
      async (game) => {
        await start(game);
        close();
      },
      isPlaying && h("p", { class: "small soft" }, t("pass.ends")),
    ),
  );
  dialog.querySelector("[type=submit]").focus({ preventScroll: true });
};
