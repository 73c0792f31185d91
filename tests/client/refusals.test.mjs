// Whatever the server refuses is told in the reader's own language: each of its reasons has a phrase.
import assert from "node:assert/strict";
import { test } from "node:test";
import { phrases } from "./languages.mjs";
import { reasons as reasonsOf } from "./sources.mjs";

/** What no page of ours brings about, or nobody is told: frames and paths that only programs write, and what is told with a time to wait. */
const PROGRAMS = ["badFrame", "badPath", "tooManyConnections", "unknown"];

test("every reason of the server has a phrase", () => {
  const reasons = reasonsOf();
  // One of each way to write them.
  for (const word of ["botsCasual", "badLevel", "badBody", "anonymous", "timeout", "enoughTakenBack", "ratingTooLow", "badPosition"]) assert.ok(reasons.has(word), `${word} was not found`);
  assert.ok(reasons.size > 60, `only ${reasons.size} were found`);
  for (const [language, words] of Object.entries(phrases)) {
    const untold = [...reasons].filter((word) => !words[`error.${word}`] && !words[`why.${word}`]);
    assert.deepEqual(untold.sort(), PROGRAMS, language);
  }
});
