// What is said to people, in the language of their choice.
import en from "./words/en.js";
import nl from "./words/nl.js";
import sv from "./words/sv.js";

const all = { en, nl, sv };

const stored = () => {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
};

const chosen = [stored(), ...navigator.languages.map((tag) => tag.slice(0, 2)), "en"].find((tag) => tag in all);

/** The language in use: en, nl or sv. */
export const language = chosen;
export const languages = Object.keys(all);
document.documentElement.lang = chosen;

/** Speaks another language from now on: on a fresh page, so that every word of it follows. */
export const speak = (tag) => {
  try {
    localStorage.setItem("language", tag);
  } catch {
    return;
  }
  location.reload();
};

const numbers = new Intl.NumberFormat(chosen);
const plurals = new Intl.PluralRules(chosen);

/** A phrase by its key; `{name}` is replaced by the value of that name, and `key.one`, `key.other` chosen by `n`. */
export const say = (key, values = {}) => {
  const words = all[chosen];
  const plural = values.n === undefined ? undefined : words[`${key}.${plurals.select(values.n)}`];
  const phrase = plural ?? words[`${key}.other`] ?? words[key] ?? key;
  return phrase.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" && name === "n" ? numbers.format(value) : String(value);
  });
};

/** Whether there is such a phrase. */
export const knows = (key) => key in all[chosen];

/** The name of a variant in this language. */
export const variantName = (variant) => variant.names?.[chosen] ?? variant.name;
