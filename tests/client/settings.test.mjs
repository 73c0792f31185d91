// Settings of the browser: default, stored and unstored values, and their keys.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const settings = await import("../../static/lib/settings.js");
const { setting, storedJson } = settings;

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
  assert.equal(preference.set(true), false);
  assert.deepEqual([preference.get(), preference.isSet()], [true, true]);
});

test("a value that a full storage refuses lasts for the page", () => {
  let isFull = true;
  const values = new Map([["key", "no"]]);
  const preference = setting("key", true, () => ({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      if (isFull) throw new DOMException("full", "QuotaExceededError");
      values.set(key, value);
    },
  }));
  assert.equal(preference.get(), false);
  assert.equal(preference.set(true), false);
  assert.equal(preference.get(), true);
  isFull = false;
  assert.equal(preference.set(false), true);
  assert.deepEqual([preference.get(), values.get("key")], [false, "no"]);
});

test("a JSON value that cannot be read is the default", () => {
  for (const [stored, expected] of [
    [undefined, ["default"]],
    ["null", ["default"]],
    ["[1", ["default"]],
    ["5", ["default"]],
    ['{"a":1}', ["default"]],
    ['["a"]', ["a"]],
  ])
    assert.deepEqual(
      storedJson("key", ["default"], storage(stored === undefined ? {} : { key: stored })).get(),
      expected,
      stored,
    );
});

test("keys and stored forms are those of earlier versions", () => {
  const stored = { localStorage: {}, sessionStorage: {} };
  for (const name of Object.keys(stored))
    globalThis[name] = {
      getItem: (key) => stored[name][key] ?? null,
      setItem: (key, value) => {
        stored[name][key] = value;
      },
    };
  globalThis.sprongTheme = { set: () => {} };
  const switches = Object.values(settings).filter((value) => value.isSet);
  for (const one of switches) one.set(true);
  settings.setCoordinates(false);
  settings.setTheme("dark");
  settings.languageSetting.set("nl");
  settings.lastAiFields.set({ level: 3 });
  settings.dismissedChallenges.set(["k3f9Q2xZ"]);
  assert.deepEqual(stored, {
    localStorage: {
      chat: "yes",
      computer: '{"level":3}',
      confirmMove: "yes",
      coordinates: "no",
      engine: "yes",
      language: "nl",
      letterKeys: "yes",
      premove: "yes",
      sound: "yes",
      theme: "dark",
    },
    sessionStorage: { aside: '["k3f9Q2xZ"]', zen: "yes" },
  });
});
