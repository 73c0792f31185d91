// Progress of the lessons in this browser: names of the tasks that are done, by variant.
import { finishedLessons, storedJson } from "../lib/settings.js";

const progress = storedJson("lessons", /** @type {Record<string, unknown>} */ ({}));

/**
 * Returns the names of the tasks that are done.
 * @param {string} variant
 * @returns {string[]}
 */
export const doneTasks = (variant) => {
  const names = progress.get()[variant];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
};

/**
 * Marks the lesson of a variant as finished if all of its tasks are done.
 * @param {string} variant
 * @param {string[]} names  tasks that are done
 * @param {readonly { name: string }[]} tasks  tasks of the lesson
 */
export const markFinished = (variant, names, tasks) => {
  const finished = finishedLessons.get();
  if (!finished.includes(variant) && tasks.every(({ name }) => names.includes(name)))
    finishedLessons.set([...finished, variant]);
};

/**
 * Stores the names of the tasks that are done.
 * @param {string} variant
 * @param {string[]} names
 * @param {readonly { name: string }[]} tasks  tasks of the lesson
 */
export const storeDoneTasks = (variant, names, tasks) => {
  progress.set({ ...progress.get(), [variant]: names });
  markFinished(variant, names, tasks);
};
