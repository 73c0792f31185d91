// Translation of phrases and of the server's reason codes.
//
// The language comes from the setting, the cookie, the history state or the browser, in this
// order. The error sentences of the server are English and meant for API clients; the client
// translates the reason codes instead.
import { languageSetting } from "./settings.js";

/**
 * Returns the translation function of a language. `{name}` is replaced by the value of that name;
 * `key.one` or `key.other` is selected by `n`. A missing phrase yields its key.
 * @param {Record<string, string>} phrases
 * @param {string} language
 * @returns {(key: string, values?: Record<string, unknown>) => string}
 */
export const translator = (phrases, language) => {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const plural =
      values.n === undefined ? undefined : phrases[`${key}.${plurals.select(Number(values.n))}`];
    const phrase = plural ?? phrases[`${key}.other`] ?? phrases[key] ?? key;
    return phrase.replace(/\{(\w+)\}/g, (whole, name, at) => {
      const value = values[name];
      if (value === undefined) return whole;
      // Only English writes the color of a side with a capital inside a sentence.
      if (name === "side" && language !== "en" && at > 0 && phrase[at - 2] !== ".")
        return String(value).toLowerCase();
      return typeof value === "number" && name === "n" ? numbers.format(value) : String(value);
    });
  };
};

/** Supported languages. */
export const languages = ["en", "nl", "sv"];

/** Selected language: storage, or the cookie, or the history state if both are blocked. */
const preferredTags = [
  languageSetting.get(),
  document.cookie?.match(/(?:^|; )language=(\w+)/)?.[1],
  history.state?.language,
];

const chosen =
  [...preferredTags, ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"].find(
    (tag) => tag && languages.includes(tag),
  ) ?? "en";

/** Language in use. */
export const language = chosen;
// Only the language in use is loaded. The build generates the module from `i18n/xx.json`.
const { default: phrases } = await import(`../i18n/${chosen}.js`);
document.documentElement.lang = chosen;

/**
 * Sets the language cookie, by which the server selects the language of the initial HTML.
 * @param {string} tag
 */
const setLanguageCookie = (tag) => {
  document.cookie = `language=${tag}; path=/; SameSite=Lax; max-age=31536000`;
};

if (preferredTags.includes(chosen)) setLanguageCookie(chosen);

/**
 * Selects a language and reloads the page.
 * @param {string} tag
 */
export const setLanguage = (tag) => {
  // Without storage, the cookie or the history state holds the language.
  if (!languageSetting.set(tag)) history.replaceState({ ...history.state, language: tag }, "");
  setLanguageCookie(tag);
  location.reload();
};

/** @param {Record<string, string>} more */
export const addPhrases = (more) => {
  for (const [key, phrase] of Object.entries(more)) phrases[key] = phrase;
};

/** Translates a phrase; see `translator`. */
export const t = translator(phrases, chosen);

/**
 * Returns whether a phrase exists.
 * @param {string} key
 */
export const hasPhrase = (key) => key in phrases;

/**
 * Returns the translated name of a variant.
 * @param {VariantName} variant
 * @returns {string}
 */
export const variantName = (variant) =>
  /** @type {Record<string, string> | undefined} */ (variant.names)?.[chosen] ?? variant.name;

/**
 * Returns the translated name of a side.
 * @param {{ sides: string[] }} game
 * @param {Side | null | undefined} side
 * @returns {string}
 */
export const sideName = ({ sides }, side) => t(`side.${sides[side === "first" ? 0 : 1]}`);

/**
 * Translates a reason code. A rating out of range is named; its bounds are unknown to the client.
 * @param {{ reason?: string | null, rating?: number | null }} refused
 * @returns {string}
 */
export const reasonText = ({ reason, rating }) => {
  const key = hasPhrase(`error.${reason}`) ? `error.${reason}` : `why.${reason}`;
  if (!hasPhrase(key)) return t("error.other");
  if (!/\{/.test(t(key))) return t(key);
  return typeof rating === "number" ? t("why.outside", { you: rating }) : t("why.notForYou");
};

/**
 * Returns an error handler that replaces the message of a reason code, then rethrows the error.
 * @param {string} reason
 * @param {string} key
 * @returns {(refused: { reason?: string, message: string }) => never}
 */
export const overrideReason = (reason, key) => (error) => {
  if (error.reason === reason) error.message = t(key);
  throw error;
};
