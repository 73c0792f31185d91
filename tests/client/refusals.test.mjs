// Refusals of the server: each reason has a phrase in every language.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { phrases } from "./support/languages.mjs";
import { rejectionReasons } from "./support/sources.mjs";

const { ApiError } = await import("../../static/lib/http.js");
const { overrideReason } = await import("../../static/lib/i18n.js");

/**
 * Reasons without a phrase: those of frames, methods and paths that only API clients send, those
 * that a link's page handles itself, and those shown with a time to wait.
 */
const WITHOUT_PHRASE = [
  "badFrame",
  "badMethod",
  "badPath",
  "contradiction",
  "exportUnderWay",
  "replacesSession",
  "tooManyConnections",
  "unknown",
];

test("every reason of the server has a phrase", () => {
  const reasons = rejectionReasons();
  for (const [language, messages] of Object.entries(phrases)) {
    const missing = [...reasons].filter(
      (reason) => !messages[`error.${reason}`] && !messages[`why.${reason}`],
    );
    assert.deepEqual(missing.sort(), WITHOUT_PHRASE, language);
  }
});

test("an ambiguous reason has the phrase of its request", () => {
  const messageFor = (status, reason, key) => {
    const error = new ApiError(status, { reason });
    if (!key) return error.message;
    assert.throws(() => overrideReason(reason, key)(error), error);
    assert.throws(() => overrideReason("another", "error.other")(error), error);
    return error.message;
  };
  const { en } = phrases;
  // Declined by the opponent, and refused by the engine.
  assert.equal(messageFor(409, "declined"), en["why.declined"]);
  assert.equal(messageFor(400, "declined", "computer.declined"), en["computer.declined"]);
  assert.equal(messageFor(403, "blocked"), en["error.blocked"]);
  assert.equal(messageFor(409, "tooMany"), en["error.tooMany"]);
  for (const key of ["token.tooMany", "player.tooMany", "report.tooMany"])
    assert.equal(messageFor(409, "tooMany", key), en[key]);
  for (const messages of Object.values(phrases)) {
    for (const keys of [
      ["why.declined", "computer.declined"],
      ["error.blocked", "chat.blocked"],
      ["error.tooMany", "token.tooMany", "player.tooMany", "report.tooMany"],
    ]) {
      assert.equal(new Set(keys.map((key) => messages[key])).size, keys.length);
    }
  }
});
