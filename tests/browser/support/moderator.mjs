// Moderators, and the check of a view of their page.
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

/** Takes a screenshot, and asserts that nothing overflows or violates a rule of axe. */
export const checkView = async (page, name) => {
  await screenshot(page, name);
  assert.ok((await horizontalOverflow(page)) <= 0, name);
  assert.deepEqual((await findViolations(page)).violations, [], name);
};
