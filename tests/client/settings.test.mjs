// Settings of the browser: default, stored and unstored values.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { setting } = await import("../../static/lib/settings.js");

/** Returns an accessor of an in-memory storage with the given entries. */
const storage = (entries = {}) => {
  const kept = new Map(Object.entries(entries));
  return () => ({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  });
};

test("an unset setting has its default", () => {
  for (const usual of [true, false]) {
    const wanted = setting("key", usual, storage());
    assert.deepEqual([wanted.get(), wanted.isSet()], [usual, false]);
    wanted.set(!usual);
    assert.deepEqual([wanted.get(), wanted.isSet()], [!usual, true]);
  }
});

test("stored values are read, also in the old notation", () => {
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

test("without storage a setting lasts as long as the page", () => {
  const wanted = setting("key", false, () => {
    throw new Error("no storage here");
  });
  assert.deepEqual([wanted.get(), wanted.isSet()], [false, false]);
  wanted.set(true);
  assert.deepEqual([wanted.get(), wanted.isSet()], [true, true]);
});
