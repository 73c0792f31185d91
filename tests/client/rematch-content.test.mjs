// Sentence, answers and links of a rematch on the result card, for every answer of the server: no
// state is without a way on.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { rematchContent } = await import("../../static/game/rematch-content.js");
const { recordGame } = await import("../../static/game/played-games.js");

const BASE = {
  you: "first",
  name: "Mats",
  rated: true,
  terms: { fit: "fits", rating: 1500, settlingGames: 0 },
  by: null,
  isEligible: true,
  requested: [],
  note: "",
};

const outside = (fields) => ({
  ...BASE.terms,
  fit: "outside",
  outside: { reason: "ratingTooHigh", rating: 1741, min: 1400, max: 1700, ...fields },
});

/** Returns the sentence and the answers. */
const show = (state) => {
  const { text, answers, links } = rematchContent({ ...BASE, ...state });
  return [text, answers.map(([, answer]) => answer), links];
};

test("a rematch that fits is offered", () => {
  assert.deepEqual(show({}), ["", ["yes"], ["opponent", "review"]]);
  // Until the server has answered, the offer is refused at worst.
  assert.deepEqual(show({ terms: undefined })[1], ["yes"]);
  assert.deepEqual(show({ note: "Mats has left." }), [
    "Mats has left.",
    ["yes"],
    ["opponent", "review"],
  ]);
});

test("the creator of a range may widen it or play without rating", () => {
  const mine = { terms: outside({ side: "second", owner: "first" }) };
  assert.deepEqual(show(mine), [
    "Mats is now 1741, outside your 1400–1700.",
    ["widen", "casual"],
    ["opponent"],
  ]);
  assert.deepEqual(show({ ...mine, rated: false })[1], ["widen"]);
  const provisional = { side: "second", owner: "first", reason: "provisional" };
  assert.match(show({ terms: outside(provisional) })[0], /provisional/);
  // A creator who has left the own range of two free seats.
  const own = { side: "first", owner: "first" };
  assert.match(show({ terms: outside(own) })[0], /^You are now 1741, outside your 1400–1700/);
});

test("the player outside a range may ask its creator", () => {
  const theirs = { terms: outside({ side: "first", owner: "second" }) };
  assert.deepEqual(show(theirs), ["Mats's range is 1400–1700.", ["ask"], ["opponent", "review"]]);
  // A third person has set the range: only another opponent remains.
  assert.deepEqual(show({ terms: outside({ side: "first", owner: null }) }), [
    "This game was for ratings 1400–1700.",
    [],
    ["opponent", "review"],
  ]);
});

test("an ask is answered by widening the range", () => {
  const asked = {
    by: "second",
    isEligible: false,
    terms: outside({ side: "second", owner: "first" }),
  };
  assert.deepEqual(show(asked), [
    "Mats asks for a rematch: now 1741, outside your 1400–1700.",
    ["widen", "casual", "no"],
    [],
  ]);
  // A widened offer can be accepted, although the terms are the same.
  const widened = { ...asked, isEligible: true, requested: ["With the same sides."] };
  assert.deepEqual(show(widened), [
    "Mats offers a rematch. With the same sides.",
    ["yes", "no"],
    [],
  ]);
  // The rating has left the range since the offer.
  const late = { ...asked, terms: outside({ side: "first", owner: "second" }) };
  assert.deepEqual(show(late)[1], ["ask", "no"]);
});

test("declined and impossible rematches lead to another opponent", () => {
  const terms = (fit, reason) => ({ ...BASE.terms, fit, reason });
  assert.deepEqual(show({ terms: terms("declined") }), [
    "Mats would rather not play again now.",
    [],
    ["opponent", "review"],
  ]);
  assert.deepEqual(show({ terms: terms("unavailable", "dailyLimit") })[1], ["casual"]);
  assert.deepEqual(show({ terms: terms("unavailable", "blocked") })[1], []);
  assert.deepEqual(show({ by: "first" }), ["Waiting for Mats…", ["no"], ["review"]]);
});

test("the first lost games of a variant are those of a beginner", () => {
  assert.deepEqual(recordGame("hogga", "aaaaaaaa", false), { isFirstLoss: false, before: 0 });
  assert.deepEqual(recordGame("hogga", "bbbbbbbb", true), { isFirstLoss: true, before: 1 });
  // Opening a finished game again does not count it again.
  assert.deepEqual(recordGame("hogga", "bbbbbbbb", true), { isFirstLoss: true, before: 1 });
  assert.deepEqual(recordGame("hogga", "cccccccc", true), { isFirstLoss: false, before: 2 });
  assert.deepEqual(recordGame("hogga", "dddddddd", true), { isFirstLoss: false, before: 3 });
  assert.deepEqual(recordGame("hogga", "eeeeeeee", true), { isFirstLoss: false, before: 3 });
  assert.deepEqual(recordGame("knightFight", "ffffffff", true), { isFirstLoss: true, before: 0 });
});
