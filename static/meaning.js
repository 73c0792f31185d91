// What a typed text means among the moves that may be made.

/** A notation without what only divides it: who types may leave that out. */
const bare = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * What a text means among the legal moves: the move that it is, if it is one, and those that begin so.
 * @param {string} text
 * @param {string[]} legal
 * @returns {{ move: string | null, begin: string[] }}
 */
export const meaning = (text, legal) => {
  const typed = bare(text);
  const begin = typed ? legal.filter((u) => bare(u).startsWith(typed)) : [];
  const whole = begin.filter((u) => bare(u) === typed);
  const same = text.trim().toLowerCase();
  return { move: whole.find((u) => u.toLowerCase() === same) ?? (whole.length === 1 ? whole[0] : null), begin };
};
