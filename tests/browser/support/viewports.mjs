// Window sizes, screenshots, and the check for horizontal overflow.
import assert from "node:assert/strict";

export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Returns the horizontal overflow of a page in pixels. */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Saves a screenshot to `shots` for review. */
export const shot = (page, name, options = {}) =>
  page.screenshot({ path: `${import.meta.dirname}/../shots/${name}.png`, ...options });

/**
 * Saves screenshots at desktop and phone size in light and dark, and asserts that neither scrolls
 * sideways.
 */
export const shots = async (page, name, options) => {
  for (const [place, { viewport }] of Object.entries({ desk: DESK, phone: PHONE })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await shot(page, `${name}-${place}-${colorScheme}`, options);
    }
    assert.ok((await sideways(page)) <= 0, `${name} scrolls sideways on a ${place}`);
  }
  await page.setViewportSize(DESK.viewport);
  await page.emulateMedia({ colorScheme: "light" });
};
