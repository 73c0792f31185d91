// Formats of clocks, durations and dates. Dates follow the reader's locale if it matches the
// language in use.
import { language, t } from "./i18n.js";

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

/** Remaining time below which a clock shows tenths and is highlighted. */
export const LOW_MS = 10000;

/** @param {number} n */
const twoDigits = (n) => String(n).padStart(2, "0");

/**
 * Formats a remaining time, with tenths below `LOW_MS`.
 * @param {number} ms
 * @returns {string}
 */
export const clockText = (ms) => {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < LOW_MS) return `0:${twoDigits(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
};

const MINUTE_MS = 60000;

/**
 * Formats a long duration in its two largest units.
 * @param {number} ms
 * @returns {string}
 */
export const daysText = (ms) => {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return hours ? t("days.dh", { d: days, h: hours }) : t("days.d", { d: days });
  return hours > 0
    ? t("days.hm", { h: hours, m: String(minutes % 60).padStart(2, "0") })
    : t("wait.minutes", { n: minutes });
};
