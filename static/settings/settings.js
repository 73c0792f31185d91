// Entry point of the page of settings (/settings), for accounts and guests. They are stored in the
// browser by `lib/settings.js`, which boards, games and the header read; a game's own dialog
// changes the same ones. Push messages, reminders, presence and the vacation are those of the
// account.
import { initHeader } from "../common/header.js";
import { cardSetting } from "../common/news-settings.js";
import { subscribe } from "../common/notifications.js";
import { volumeSlider } from "../common/volume-slider.js";
import { setSoundEnabled } from "../board/sound.js";
import { tapTwiceSetting } from "../board/tap-twice.js";
import { choiceGroup, h, toggle } from "../lib/dom.js";
import { language, languages, t, setLanguage } from "../lib/i18n.js";
import "../lib/i18n-more.js";
import {
  confirmationSetting,
  letterKeysSetting,
  premoveSetting,
  setCoordinates,
  setTheme,
  showsCoordinates,
  soundSetting,
  zenSetting,
} from "../lib/settings.js";
import { presenceSetting } from "./presence.js";
import { pushSettings } from "./push-settings.js";
import { reminderTimes } from "./reminder-times.js";
import { vacationSetting } from "./vacation.js";

/**
 * Names of the languages in themselves.
 * @type {Record<string, string>}
 */
const LANGUAGE_NAMES = { en: "English", nl: "Nederlands", sv: "Svenska" };

/**
 * Creates a section with a heading.
 * @param {string} key
 * @param {...HTMLElement} fields
 */
const section = (key, ...fields) =>
  h("section", { class: "card settings-section" }, h("h2", {}, t(key)), ...fields);

/**
 * Creates a switch of a stored setting.
 * @param {string} key
 * @param {{ get(): boolean, set(on: boolean): unknown }} stored
 * @param {string} [note] phrase of the note below
 */
const setting = (key, stored, note) => toggle(t(key), stored.get(), stored.set, note && t(note));

const languageChoice = () =>
  choiceGroup(
    "segmented",
    t("nav.language"),
    languages.map((tag) => [tag, h("span", { lang: tag }, LANGUAGE_NAMES[tag])]),
    language,
    (tag) => tag !== language && setLanguage(tag),
  );

const themeChoice = () =>
  choiceGroup(
    "segmented is-two-column",
    t("more.theme"),
    sprongTheme.themes.map((theme) => [theme, t(`theme.${theme}`)]),
    sprongTheme.now(),
    setTheme,
  );

const tapTwiceChoice = () =>
  h(
    "div",
    { class: "settings-choice" },
    h("span", {}, t("settings.tapTwice")),
    h("span", { class: "small weak" }, t("settings.tapTwiceNote")),
    choiceGroup(
      "segmented",
      t("settings.tapTwice"),
      [
        ["auto", t("settings.tap.auto")],
        ["on", t("settings.tap.on")],
        ["off", t("settings.tap.off")],
      ],
      tapTwiceSetting.get(),
      tapTwiceSetting.set,
    ),
  );

const sections = () => [
  section(
    "setting.sound",
    setting(
      "settings.sound",
      { get: soundSetting.get, set: setSoundEnabled },
      "settings.soundNote",
    ),
    volumeSlider(),
  ),
  section(
    "settings.moves",
    setting("game.confirm", confirmationSetting, "settings.confirmNote"),
    tapTwiceChoice(),
    setting("setting.premove", premoveSetting, "settings.premoveNote"),
  ),
  section(
    "settings.board",
    setting("setting.coordinates", { get: showsCoordinates, set: setCoordinates }),
    setting("setting.zen", zenSetting, "settings.zenNote"),
    setting("keys.on", letterKeysSetting, "keys.onwhy"),
  ),
  section(
    "news.title",
    setting("settings.cards", cardSetting, "settings.cardsNote"),
    ...pushSettings(),
    reminderTimes(),
    h("div", {}, h("a", { class: "btn", href: "/events" }, t("events.link"))),
  ),
  section("presence.title", presenceSetting()),
  section("vacation.title", vacationSetting()),
  section("nav.language", languageChoice()),
  section("more.theme", themeChoice()),
];

initHeader("/settings");
subscribe();
document.title = `${t("setting.title")} · Sprong`;
document
  .querySelector("main")
  .append(
    h(
      "div",
      { class: "settings-page" },
      h("h1", {}, t("setting.title")),
      h("p", { class: "soft" }, t("settings.here")),
      h("div", { class: "settings-sections" }, ...sections()),
    ),
  );
