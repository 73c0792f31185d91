// Formats of durations: clocks, and the days and hours of correspondence games.
import { t } from "./i18n.js";

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
