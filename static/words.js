// What is said to people, in the language of their choice.
import { speaker } from "./phrases.js";

/** The languages that are spoken here. */
export const languages = ["en", "nl", "sv"];

const stored = () => {
  try {
    return localStorage.getItem("language");
  } catch {
    // Where nothing may be stored a cookie may still be kept.
    return document.cookie?.match(/(?:^|; )language=(\w+)/)?.[1] ?? null;
  }
};

const chosen = [stored(), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"].find((tag) => tag && languages.includes(tag)) ?? "en";

/** The language in use: en, nl or sv. */
export const language = chosen;
// Nobody loads what they do not read: the build makes this of what scripts say in `words/xx.json`.
const { default: words } = await import(`./words/${chosen}.js`);
document.documentElement.lang = chosen;

/** Tells the server, which writes what stands in a page before any script runs. */
const tell = (tag) => {
  document.cookie = `language=${tag}; path=/; SameSite=Lax; max-age=31536000`;
};

if (stored() === chosen) tell(chosen);

/**
 * Speaks another language from now on: on a fresh page, so that every word of it follows.
 * @param {string} tag
 */
export const speak = (tag) => {
  try {
    localStorage.setItem("language", tag);
  } catch {
    // The cookie tells it then.
  }
  tell(tag);
  location.reload();
};

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
