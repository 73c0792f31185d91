// Address of the analysis of a game on one device.

/**
 * Returns the address, in the form of `analysis/url-state.js`, at the start of the game.
 * @param {{
 *   variant: Variant,
 *   saved: import("./saved-games.js").SavedGame,
 * }} game
 */
export const reviewPath = ({ variant, saved }) => {
  const fields = new URLSearchParams({ variant: variant.key });
  for (const { key, default: fallback } of variant.options)
    if (saved.options[key] !== fallback) fields.set(`options.${key}`, String(saved.options[key]));
  // Without a shuffle the analysis knows the start.
  if (variant.chance) fields.set("start", saved.start);
  fields.set("moves", saved.moves);
  fields.set("at", "0");
  return `/analysis/${variant.key}#${fields}`;
};
