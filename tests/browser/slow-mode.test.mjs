// Slow mode, which a moderator turns on and off beside the stop of newcomers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sendChallengeForm } from "./support/challenges.mjs";
import { editDatabase } from "./support/database.mjs";
import { checkView, moderatorOpener } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { SMALL_PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openModerator = moderatorOpener({ server, browser });

const SUBMIT = "main form:not([role=search]) [type=submit]";

/** Opens an account with the challenge form. */
const openForm = async (name) => {
  const user = await User.open(browser, server, { name });
  await user.scrollToChallengeForm();
  return user;
};

/** Sends the form; returns the status of the response. */
const send = async (user) => (await sendChallengeForm(user)).status();

/** Presses the switch of slow mode and carries it out. */
const turnSlowMode = async (mo, isOn) => {
  const { page } = mo;
  await page.getByRole("switch", { name: "Slow mode" }).click();
  await page.fill("[name=reason]", isOn ? "Flood" : "It is over");
  await page.click(SUBMIT);
  await waitUntil("the server has changed slow mode", async () => {
    const { slow } = await mo.get("/api/admin/arrivals");
    return slow === isOn;
  });
};

test("slow mode delays newcomers until it is turned off", async () => {
  const mo = await openModerator("MoSlow", SMALL_PHONE);
  const { page } = mo;
  const [ann, old] = [await openForm("Ann"), await openForm("Old")];
  editDatabase(
    server,
    "UPDATE account SET created_ms = created_ms - 2 * 86400000 WHERE id = 'old'",
  );
  for (let number = 0; number < 2; number += 1) assert.equal(await send(ann), 201);

  await mo.visit("/admin?view=arrivals", "main >> text=Slow mode");
  const toggle = page.getByRole("switch", { name: "Slow mode" });
  assert.equal(await toggle.getAttribute("aria-checked"), "false");
  await turnSlowMode(mo, true);
  await page.waitForSelector("text=Done, and in the log.");
  await checkView(page, "slow-mode-small");
  await page.reload();
  await page.waitForSelector("main >> text=Slow mode");
  assert.equal(await toggle.getAttribute("aria-checked"), "true");

  assert.equal(await send(ann), 201);
  assert.equal(await send(ann), 429);
  const refusal = ".challenge-form .form-error >> text=Guests and new accounts have to wait";
  await ann.page.waitForSelector(refusal);
  for (let number = 0; number < 2; number += 1) assert.equal(await send(old), 201);

  await turnSlowMode(mo, false);
  assert.equal(await toggle.getAttribute("aria-checked"), "false");
  assert.equal(await send(ann), 201);
  await ann.page.waitForSelector(refusal, { state: "detached" });
  await page.reload();
  await page.waitForSelector("main >> text=Slow mode");
  assert.equal(await toggle.getAttribute("aria-checked"), "false");
  await mo.visit("/admin?view=log", ".account-list li >> text=Slow mode off");
  await page.waitForSelector(".account-list li >> text=Slow mode on");
  assertNoErrors(server, [mo, ann, old], /429/);
});
