// How pages are looked at: the sizes of windows, pictures, and what sticks out.
import assert from "node:assert/strict";

export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** By how many pixels a page is wider than its window. */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** A picture of a page, to be looked at afterwards. */
export const shot = (page, name, options = {}) =>
  page.screenshot({ path: `${import.meta.dirname}/shots/${name}.png`, ...options });

/** Pictures of a page on a desk and on a phone, light and dark; on neither it is scrolled sideways. */
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
