// Settings of the browser: default, stored and unstored values.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { setting } = await import("../../static/lib/settings.js");

/** Returns an accessor of an in-memory storage with the given entries. */
const storage = (entries = {}) => {
  const values = new Map(Object.entries(entries));
  return () => ({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
  });
};

test("an unset setting has its default", () => {
  for (const defaultValue of [true, false]) {
    const preference = setting("key", defaultValue, storage());
    assert.deepEqual([preference.get(), preference.isSet()], [defaultValue, false]);
    preference.set(!defaultValue);
    assert.deepEqual([preference.get(), preference.isSet()], [!defaultValue, true]);
  }
});

test("stored values are read, also in the old notation", () => {
  for (const [stored, expected] of [
    ["yes", true],
    ["no", false],
    ["on", true],
    ["off", false],
  ]) {
    for (const defaultValue of [true, false])
      assert.equal(setting("key", defaultValue, storage({ key: stored })).get(), expected, stored);
  }
});

test("without storage a setting lasts as long as the page", () => {
  const preference = setting("key", false, () => {
    throw new Error("no storage here");
  });
  assert.deepEqual([preference.get(), preference.isSet()], [false, false]);
  preference.set(true);
  assert.deepEqual([preference.get(), preference.isSet()], [true, true]);
});
