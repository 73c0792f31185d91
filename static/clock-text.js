// A time that is left, as a clock shows it.

/** Below this a clock shows tenths, and looks as if it mattered. */
export const LOW_MS = 10000;

const two = (n) => String(n).padStart(2, "0");

/**
 * A duration as a clock shows it: tenths below ten seconds.
 * @param {number} ms
 * @returns {string}
 */
export const clockText = (ms) => {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < LOW_MS) return `0:${two(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};
