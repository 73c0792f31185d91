// Moderators, their actions, and the check of a view of their page.
import assert from "node:assert/strict";
import { findViolations } from "./axe.mjs";
import { User } from "./server.mjs";
import { horizontalOverflow, screenshot } from "./viewports.mjs";

/** Returns a function that opens a moderator. */
export const moderatorOpener =
  ({ server, browser }) =>
  async (name, options = {}) => {
    const user = await User.open(browser, server, { name, ...options }, null);
    server.admin("grant-admin", name);
    return user;
  };

/** Takes an action on the account of the page. */
export const takeAction = async (page, action, fields) => {
  await page.selectOption("[name=action]", action);
  for (const [name, value] of Object.entries({ reason: "A test", ...fields }))
    await page.fill(`#actions [name=${name}]`, value);
  const saved = page.waitForResponse(
    (response) => response.request().method() === "POST" && /\/api\/admin\//.test(response.url()),
  );
  await page.click("#actions [type=submit]");
  // A toast of an earlier action can still be shown.
  await saved;
  await page.waitForSelector("text=Done, and in the log.");
};

/** Takes a screenshot, and asserts that nothing overflows or violates a rule of axe. */
export const checkView = async (page, name) => {
  await screenshot(page, name);
  assert.ok((await horizontalOverflow(page)) <= 0, name);
  assert.deepEqual((await findViolations(page)).violations, [], name);
};
