// Entry of a move as text, against a list of legal moves.

/**
 * Normalizes a notation: typed moves may omit separators.
 * @param {string} text
 */
const normalize = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Matches a typed text with the legal moves: the move it denotes, if any, and those it starts.
 * @param {string} text
 * @param {string[]} legal
 * @returns {{ move: string | null, candidates: string[] }}
 */
export const parseTypedMove = (text, legal) => {
  const typed = normalize(text);
  const candidates = typed ? legal.filter((u) => normalize(u).startsWith(typed)) : [];
  const exact = candidates.filter((u) => normalize(u) === typed);
  const same = text.trim().toLowerCase();
  return {
    move: exact.find((u) => u.toLowerCase() === same) ?? (exact.length === 1 ? exact[0] : null),
    candidates,
  };
};
