// Search for an opponent: its terms, its requests, and what this tab remembers of it. Used by the
// page of the search and by the strip that shows it beside a game.
import { post } from "../lib/http.js";
import { tabSearch } from "../lib/settings.js";

/**
 * Time controls to choose from, as in the API.
 * @type {Record<string, string>}
 */
export const SEARCH_CLOCKS = { 5: "300+3", 10: "600+5", days: "3d" };

/** Time after which a tab that is opened again does not resume its search. */
const RESUME_MAX_MS = 60000;

/** Duration of a challenge in the lobby, for players who do not want to wait. */
const DAY_MS = 86400000;

/** Kinds of games to choose from. */
export const SEARCH_KINDS = ["rated", "casual"];

/**
 * Terms of a search: keys of variants, of `SEARCH_CLOCKS` and of `SEARCH_KINDS`. Guests play casual
 * games only.
 * @typedef {{ games: string[], clocks: string[], kinds?: string[] }} SearchTerms
 */

/**
 * Search that this tab remembers.
 * @typedef {{ terms: SearchTerms, since: number, seenAt: number }} TabSearch
 */

/**
 * Returns the fields of a request.
 * @param {SearchTerms} terms
 * @param {boolean} isGuest
 */
const fields = ({ games, clocks, kinds = SEARCH_KINDS }, isGuest) => ({
  variants: games.join(","),
  clocks: clocks.map((key) => SEARCH_CLOCKS[key]).join(","),
  rated: !isGuest && kinds.includes("rated"),
  casual: isGuest || kinds.includes("casual"),
  provisional: /** @type {const} */ ("allow"),
});

/**
 * Begins a search; it replaces an earlier one.
 * @param {SearchTerms} terms
 * @param {boolean} isGuest
 * @returns {Promise<Search>}
 */
export const startSearch = (terms, isGuest) => post("/api/find", fields(terms, isGuest));

/** Cancels the search, if there is one. */
export const cancelSearch = () => post("/api/find/cancel");

/**
 * Lists a challenge with the terms of a search for a day.
 * @param {SearchTerms} terms
 * @param {boolean} isGuest
 * @param {number} now server time in epoch milliseconds
 */
export const leaveOpen = (terms, isGuest, now) =>
  post("/api/challenge", { ...fields(terms, isGuest), expiresAt: Math.round(now) + DAY_MS });

/**
 * Remembers the search of this tab.
 * @param {Omit<TabSearch, "seenAt">} search
 */
export const rememberSearch = (search) => tabSearch.set({ ...search, seenAt: Date.now() });

/** Forgets the search of this tab. */
export const forgetSearch = () => tabSearch.set({});

/**
 * Returns the search of this tab, unless the tab was closed in the meantime.
 * @returns {TabSearch | null}
 */
export const rememberedSearch = () => {
  const search = /** @type {TabSearch} */ (tabSearch.get());
  return search.terms && Date.now() - search.seenAt < RESUME_MAX_MS ? search : null;
};
