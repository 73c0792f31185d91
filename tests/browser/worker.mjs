// Somebody whose pages are kept for times without a network.
import assert from "node:assert/strict";
import { Person } from "./house.mjs";

/** What a page complains of for want of a network is no fault of its own. */
export const CUT_OFF = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;

/** Somebody at that page for whom the worker has kept what it keeps, and answers. */
export const settled = async (browser, where, options = {}, path = undefined) => {
  const person = await Person.open(browser, where, { serviceWorkers: "allow", ...options }, path);
  await person.page.waitForFunction(
    () => navigator.serviceWorker.controller?.state === "activated",
  );
  return person;
};

/** Takes the network away. */
export const goOffline = async ({ page }) => {
  await page.context().setOffline(true);
  const reached = await page.evaluate(() =>
    fetch("/healthz").then(
      () => true,
      () => false,
    ),
  );
  assert.equal(reached, false, "there is no network");
};
