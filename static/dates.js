// Moments in the words of the language.
import { language } from "./words.js";

/** The reader's own region, if it speaks the language in use. */
export const locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;

const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const moments = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const spans = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["year", 31557600000], ["month", 2629800000], ["week", 604800000], ["day", 86400000], ["hour", 3600000], ["minute", 60000]];

/**
 * A day: "3 Mar 2026".
 * @param {number} ms
 * @returns {string}
 */
export const dayText = (ms) => days.format(ms);

/**
 * A day and the time of it.
 * @param {number} ms
 * @returns {string}
 */
export const momentText = (ms) => moments.format(ms);

/**
 * How long ago: "3 hours ago".
 * @param {number} ms
 * @returns {string}
 */
export const agoText = (ms) => {
  const past = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => past >= least) ?? ["minute", 60000];
  return spans.format(-Math.floor(past / length), unit);
};
