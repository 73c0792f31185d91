// Refusals of the server: each reason has a phrase in every language.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { phrases } from "./support/languages.mjs";
import { reasons as reasonsOf } from "./support/sources.mjs";

const { ApiError } = await import("../../static/lib/http.js");
const { overrideReason } = await import("../../static/lib/i18n.js");

/**
 * Reasons without a phrase: those of frames and paths that only API clients send, those that a
 * link's page handles itself, and those shown with a time to wait.
 */
const PROGRAMS = [
  "badFrame",
  "badPath",
  "contradiction",
  "exportUnderWay",
  "replacesSession",
  "tooManyConnections",
  "unknown",
];

test("every reason of the server has a phrase", () => {
  const reasons = reasonsOf();
  // One reason for each notation in the sources.
  for (const word of [
    "botsCasual",
    "badLevel",
    "badBody",
    "anonymous",
    "timeout",
    "enoughTakenBack",
    "ratingTooLow",
    "badPosition",
  ])
    assert.ok(reasons.has(word), `${word} was not found`);
  assert.ok(reasons.size > 60, `only ${reasons.size} were found`);
  for (const [language, words] of Object.entries(phrases)) {
    const untold = [...reasons].filter((word) => !words[`error.${word}`] && !words[`why.${word}`]);
    assert.deepEqual(untold.sort(), PROGRAMS, language);
  }
});

test("an ambiguous reason has the phrase of its request", () => {
  const said = (status, reason, key) => {
    const refused = new ApiError(status, { reason });
    if (!key) return refused.message;
    assert.throws(() => overrideReason(reason, key)(refused), refused);
    assert.throws(() => overrideReason("another", "error.other")(refused), refused);
    return refused.message;
  };
  const { en } = phrases;
  // Declined by the opponent, and refused by the engine.
  assert.equal(said(409, "declined"), en["why.declined"]);
  assert.equal(said(400, "declined", "computer.declined"), en["computer.declined"]);
  assert.equal(said(403, "blocked"), en["error.blocked"]);
  assert.equal(said(409, "tooMany"), en["error.tooMany"]);
  for (const key of ["token.tooMany", "player.tooMany", "report.tooMany"])
    assert.equal(said(409, "tooMany", key), en[key]);
  for (const words of Object.values(phrases)) {
    for (const several of [
      ["why.declined", "computer.declined"],
      ["error.blocked", "chat.blocked"],
      ["error.tooMany", "token.tooMany", "player.tooMany", "report.tooMany"],
    ]) {
      assert.equal(new Set(several.map((key) => words[key])).size, several.length);
    }
  }
});
