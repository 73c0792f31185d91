// Formats of dates. They follow the reader's locale if it matches the language in use.
import { language } from "./i18n.js";

/** Preferred locale with the language in use, or that language. */
export const locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;

const dateFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const dateTimeFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31557600000],
  ["month", 2629800000],
  ["week", 604800000],
  ["day", 86400000],
  ["hour", 3600000],
  ["minute", 60000],
];

/**
 * Formats a date: "3 Mar 2026".
 * @param {number} ms
 * @returns {string}
 */
export const dayText = (ms) => dateFormat.format(ms);

/**
 * Formats a date with the time of day.
 * @param {number} ms
 * @returns {string}
 */
export const dateTimeText = (ms) => dateTimeFormat.format(ms);

/**
 * Formats the time since a date: "3 hours ago".
 * @param {number} ms
 * @param {number} [now]
 * @param {Intl.RelativeTimeFormat} [format]
 * @returns {string}
 */
export const agoText = (ms, now = Date.now(), format = relativeFormat) => {
  const elapsed = Math.max(0, now - ms);
  const [unit, length] = UNITS.find(([, least]) => elapsed >= least) ?? ["minute", 60000];
  return format.format(-Math.floor(elapsed / length), unit);
};
