// Phrases with values put in; a number chooses the form that its language has for it.

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
    const plural = values.n === undefined ? undefined : words[`${key}.${plurals.select(Number(values.n))}`];
    const phrase = plural ?? words[`${key}.other`] ?? words[key] ?? key;
    return phrase.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      if (value === undefined) return whole;
      return typeof value === "number" && name === "n" ? numbers.format(value) : String(value);
    });
  };
};
