// Users with an active service worker, and offline mode.
import assert from "node:assert/strict";
import { Person } from "./server.mjs";

/** Console errors that are expected without a network. */
export const CUT_OFF = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;

/** Opens a page and waits until the service worker controls it and has filled its cache. */
export const settled = async (browser, where, options = {}, path = undefined) => {
  const person = await Person.open(browser, where, { serviceWorkers: "allow", ...options }, path);
  await person.page.waitForFunction(
    () => navigator.serviceWorker.controller?.state === "activated",
  );
  return person;
};

/** Switches a browser to offline mode and checks that the server is unreachable. */
export const goOffline = async ({ page }) => {
  await page.context().setOffline(true);
  const reached = await page.evaluate(() =>
    fetch("/healthz").then(
      () => true,
      () => false,
    ),
  );
  assert.equal(reached, false, "the server is still reachable");
};
