// The switch "Bots may accept" of the challenge form: its default, its choice, and its effect.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cardSelector, sendChallengeForm } from "./support/challenges.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";

const { server, browser } = await startServerAndBrowser();

/** Opens an account with the challenge form; returns its switches and a function to post. */
const openForm = async (name) => {
  const user = await User.open(browser, server, { name });
  const { page } = user;
  await user.scrollToChallengeForm();
  const form = page.locator(".lobby form.challenge-form");
  await form.locator("summary").click();
  const isOn = async (button) => (await button.getAttribute("aria-checked")) === "true";
  const rated = form.locator(".challenge-form-rated .switch");
  const bots = form.getByRole("switch", { name: "Bots may accept" });
  const post = async () => {
    const { id } = await (await sendChallengeForm(user)).json();
    await page.waitForSelector(cardSelector(id));
    return id;
  };
  const state = async () => ({ rated: await isOn(rated), bots: await isOn(bots) });
  return { user, form, rated, bots, state, post };
};

const openBot = async (name) => {
  const bot = await User.open(browser, server, { name }, null);
  await bot.post("/api/bot/account/upgrade", {});
  await bot.visit("/lobby", ".lobby");
  return bot;
};

/** Returns the terms of a challenge as its creator reads them. */
const termsOf = async (user, id) => {
  const { rated, bots } = await user.get(`/api/challenge/${id}/show`);
  return { rated, bots };
};

test("bots may accept casual challenges, not rated ones", async () => {
  const { user, rated, state, post } = await openForm("BotAnn");
  assert.deepEqual(await state(), { rated: true, bots: false });
  const forPeople = await post();
  assert.deepEqual(await termsOf(user, forPeople), { rated: true, bots: "deny" });
  await rated.click();
  assert.deepEqual(await state(), { rated: false, bots: true });
  const forAll = await post();
  assert.deepEqual(await termsOf(user, forAll), { rated: false, bots: "allow" });
  await rated.click();
  assert.deepEqual(await state(), { rated: true, bots: false });

  const bot = await openBot("BotEve");
  const refused = `${cardSelector(forPeople)}.is-unavailable >> text=For people, not for bots`;
  await bot.page.waitForSelector(refused);
  assert.equal(await bot.page.locator(`${cardSelector(forPeople)} >> text=Accept`).count(), 0);
  await bot.page.waitForSelector(`${cardSelector(forAll)} .btn:has-text('Accept')`);
  const { status, body } = await bot.request(`/api/challenge/${forPeople}/accept`, {});
  assert.deepEqual([status, body.reason], [403, "noBots"]);
  assert.equal((await bot.request(`/api/challenge/${forAll}/accept`, {})).status, 200);
  assertNoErrors(server, [user, bot], /403/);
});

test("a choice of the bots switch stays when rated changes", async () => {
  const { user, form, rated, bots, state, post } = await openForm("BotBob");
  await bots.click();
  assert.deepEqual(await state(), { rated: true, bots: true });
  assert.deepEqual(await termsOf(user, await post()), { rated: true, bots: "allow" });
  await rated.click();
  assert.deepEqual(await state(), { rated: false, bots: true });
  await bots.click();
  assert.deepEqual(await state(), { rated: false, bots: false });
  assert.deepEqual(await termsOf(user, await post()), { rated: false, bots: "deny" });
  await rated.click();
  assert.deepEqual(await state(), { rated: true, bots: false });
  // No requirement applies to a named player.
  await form.locator(".segmented [data-value=named]").click();
  assert.equal(await bots.isVisible(), false);
  assertNoErrors(server, [user]);
});
