// Users with an active service worker, and offline mode.
import assert from "node:assert/strict";
import { User } from "./server.mjs";

/** Console errors that are expected without a network. */
export const OFFLINE_ERRORS = /Failed to load resource|ERR_INTERNET_DISCONNECTED/;

/** Opens a page and waits until the service worker controls it and has filled its cache. */
export const openWithServiceWorker = async (browser, server, options = {}, path = undefined) => {
  const user = await User.open(browser, server, { serviceWorkers: "allow", ...options }, path);
  await user.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  return user;
};

/** Switches a browser to offline mode and checks that the server is unreachable. */
export const goOffline = async ({ page }) => {
  await page.context().setOffline(true);
  const isReachable = await page.evaluate(() =>
    fetch("/healthz").then(
      () => true,
      () => false,
    ),
  );
  assert.equal(isReachable, false, "the server is still reachable");
};
