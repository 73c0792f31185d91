// Pure parts of the home page and of the offer of the next game: usual hour, and the game to open
// next.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./support/browser-stub.mjs";
import { usualHour } from "../../static/common/usual-time.js";
import { findNextGame } from "../../static/game/next-turn.js";

/** Returns counts with the given numbers of games by hour. */
const counts = (byHour) => {
  const hours = Array.from({ length: 24 }, (_, hour) => byHour[hour] ?? 0);
  return { games: hours.reduce((sum, count) => sum + count, 0), hours };
};

test("usual hour is the one around which most games begin", () => {
  assert.equal(usualHour(counts({ 19: 5, 20: 5, 8: 6 })), 20);
  assert.equal(usualHour(counts({ 23: 6, 0: 5, 12: 10 })), 0);
  assert.equal(usualHour(counts({ 7: 12 })), 7);
});

test("usual hour of fewer than ten games is unknown", () => {
  assert.equal(usualHour(counts({ 20: 9 })), null);
  assert.equal(usualHour(counts({ 20: 10 })), 20);
  assert.equal(usualHour(counts({})), null);
});

const game = (gameId, changes = {}) => ({
  gameId,
  isMyTurn: true,
  timeControl: { type: "correspondence" },
  opponent: { username: `Opponent of ${gameId}` },
  ...changes,
});

test("next game is the first other one that waits for the player", () => {
  const waiting = [game("here"), game("next"), game("later")];
  assert.equal(findNextGame(waiting, "here")?.gameId, "next");
  assert.equal(findNextGame([game("here"), game("x", { isMyTurn: false })], "here"), null);
  assert.equal(findNextGame([game("here"), game("x", { opponent: { ai: 2 } })], "here"), null);
  const untimed = game("x", { timeControl: { type: "unlimited" } });
  assert.equal(findNextGame([game("here"), untimed], "here"), untimed);
});

test("no game is next while a game with a clock is in progress", () => {
  const clock = game("clock", { isMyTurn: false, timeControl: { type: "clock" } });
  assert.equal(findNextGame([game("here"), game("next"), clock], "here"), null);
});
