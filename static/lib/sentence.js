// Stops between texts that stand in one line.

/** @param {string} text */
export const startsSentence = (text) => /^\p{Lu}/u.test(text);

/** @param {string} text */
export const endsOpen = (text) => /[\p{L}\p{N})]$/u.test(text);

/**
 * Returns a text with a stop if a sentence follows it.
 * @param {string} text
 * @param {string} next
 */
export const closeSentence = (text, next) =>
  endsOpen(text) && startsSentence(next) ? `${text}.` : text;
