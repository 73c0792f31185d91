// What this browser wishes: kept where it can be, and known to be said or not.
import "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { setting } = await import("../../static/lib/settings.js");

/** A storage with those entries. */
const storage = (entries = {}) => {
  const kept = new Map(Object.entries(entries));
  return () => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  });
};

test("until somebody has said, the usual holds", () => {
  for (const usual of [true, false]) {
    const wanted = setting("key", usual, storage());
    assert.deepEqual([wanted.get(), wanted.isSet()], [usual, false]);
    wanted.set(!usual);
    assert.deepEqual([wanted.get(), wanted.isSet()], [!usual, true]);
  }
});

test("what is kept holds, also as it was written before", () => {
  for (const [word, is] of [
    ["yes", true],
    ["no", false],
    ["on", true],
    ["off", false],
  ]) {
    for (const usual of [true, false])
      assert.equal(setting("key", usual, storage({ key: word })).get(), is, word);
  }
});

test("without a storage it lasts as long as the page", () => {
  const wanted = setting("key", false, () => {
    throw new Error("no storage here");
  });
  assert.deepEqual([wanted.get(), wanted.isSet()], [false, false]);
  wanted.set(true);
  assert.deepEqual([wanted.get(), wanted.isSet()], [true, true]);
});
