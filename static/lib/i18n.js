// What is said to people, in the language of their choice: phrases with values put in, and refusals of the server, whose
// own sentences are English, and for programs.

/**
 * What says the phrases of a language: `say(key, values)`. `{name}` is replaced by the value of that name,
 * and `key.one`, `key.other` chosen by `n`. A key without a phrase is said as it stands.
 * @param {Record<string, string>} words
 * @param {string} language
 * @returns {(key: string, values?: Record<string, unknown>) => string}
 */
export const speaker = (words, language) => {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const plural =
      values.n === undefined ? undefined : words[`${key}.${plurals.select(Number(values.n))}`];
    const phrase = plural ?? words[`${key}.other`] ?? words[key] ?? key;
    return phrase.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      if (value === undefined) return whole;
      return typeof value === "number" && name === "n" ? numbers.format(value) : String(value);
    });
  };
};

/** The languages that are spoken here. */
export const languages = ["en", "nl", "sv"];

const kept = () => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
};

/** What was chosen: where nothing may be stored a cookie may still be kept; if it may not, this page remembers while it is there. */
const wished = [
  kept(),
  document.cookie?.match(/(?:^|; )language=(\w+)/)?.[1],
  history.state?.language,
];

const chosen =
  [...wished, ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"].find(
    (tag) => tag && languages.includes(tag),
  ) ?? "en";

/** The language in use: en, nl or sv. */
export const language = chosen;
// Nobody loads what they do not read: the build makes this of what `i18n/xx.json` has for `scripts` on the first page.
const { default: words } = await import(`../i18n/${chosen}.js`);
document.documentElement.lang = chosen;

/** Tells the server, which writes what stands in a page before any script runs. */
const tell = (tag) => {
  document.cookie = `language=${tag}; path=/; SameSite=Lax; max-age=31536000`;
};

if (wished.includes(chosen)) tell(chosen);

/**
 * Speaks another language from now on: on a fresh page, so that every word of it follows.
 * @param {string} tag
 */
export const speak = (tag) => {
  try {
    localStorage.setItem("language", tag);
  } catch {
    // The cookie tells it then, or what this page remembers.
    history.replaceState({ ...history.state, language: tag }, "");
  }
  tell(tag);
  location.reload();
};

/**
 * Takes more phrases.
 * @param {Record<string, string>} more
 */
export const learn = (more) => Object.assign(words, more);

/** A phrase by its key; `{name}` is replaced by the value of that name, and `key.one`, `key.other` chosen by `n`. */
export const say = speaker(words, chosen);

/**
 * Whether there is such a phrase.
 * @param {string} key
 */
export const knows = (key) => key in words;

/**
 * The name of a variant in this language.
 * @param {VariantName} variant
 * @returns {string}
 */
export const variantName = (variant) => variant.names?.[chosen] ?? variant.name;

/**
 * The name of a side of a game.
 * @param {{ sides: string[] }} game
 * @param {Side | null | undefined} side
 * @returns {string}
 */
export const sideName = ({ sides }, side) => say(`side.${sides[side === "first" ? 0 : 1]}`);

/**
 * A refusal in words, by its reason; a rating that does not fit is told, its bounds are not known here.
 * @param {{ reason?: string | null, rating?: number | null }} refused
 * @returns {string}
 */
export const reasonText = ({ reason, rating }) => {
  const key = knows(`error.${reason}`) ? `error.${reason}` : `why.${reason}`;
  if (!knows(key)) return say("error.other");
  if (!/\{/.test(say(key))) return say(key);
  return typeof rating === "number" ? say("why.outside", { you: rating }) : say("why.notForYou");
};

/**
 * For whoever asks where a reason has a meaning of its own: a refusal for it is said with that phrase.
 * @param {string} reason
 * @param {string} key
 */
export const saidAs = (reason, key) => (refused) => {
  if (refused.reason === reason) refused.message = say(key);
  throw refused;
};
