// Transcripts of the messages that a page has received, which the Rust tests write, and helpers to
// replay them without a mutation.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../transcripts");

/**
 * Returns the transcripts of a folder; those of games are in none. Messages have a type, `t`, and
 * data, `d`. Responses to requests of the page have the name of the request in place of a type.
 */
export const transcripts = (folder = ".") =>
  readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ name, ...JSON.parse(readFileSync(join(FOLDER, folder, name), "utf8")) }));

const refuse = () => {
  throw new TypeError("A frozen map cannot change");
};

/** Freezes a value with all that it contains. */
export const deepFreeze = (value) => {
  if (!value || typeof value !== "object" || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const name of ["set", "delete", "clear"])
      Object.defineProperty(value, name, { value: refuse });
    value.forEach(deepFreeze);
  }
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
};

/** Returns the types of effects. */
export const effectTypes = (effects) => effects.map(({ type }) => type);
