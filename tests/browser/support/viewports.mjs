// Window sizes, screenshots, and the check for horizontal overflow.
import assert from "node:assert/strict";

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Phone with less height than any other. */
export const SMALL_PHONE = { ...PHONE, viewport: { width: 360, height: 640 } };

/** Maximum wait for a painted frame. */
const FRAME_MS = 500;

/** Returns the horizontal overflow of a page in pixels. */
export const horizontalOverflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Saves a screenshot to `shots` for review if the environment variable SHOTS is set: painting and
 * compressing hundreds of them takes long. Waits for a painted frame otherwise; a page without
 * scripts runs no callback of one.
 */
export const screenshot = (page, name, options = {}) =>
  process.env.SHOTS
    ? page.screenshot({ path: `${import.meta.dirname}/../shots/${name}.png`, ...options })
    : Promise.race([
        page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        ),
        new Promise((resolve) => setTimeout(resolve, FRAME_MS)),
      ]).catch(() => {});

/**
 * Takes screenshots at desktop and phone size in light and dark, and asserts that neither has a
 * horizontal overflow.
 */
export const screenshotAll = async (page, name, options) => {
  for (const [device, { viewport }] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `${name}-${device}-${colorScheme}`, options);
    }
    assert.ok((await horizontalOverflow(page)) <= 0, `${name} scrolls sideways on a ${device}`);
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.emulateMedia({ colorScheme: "light" });
};

/**
 * Takes screenshots at desktop and both phone sizes in the light and the dark theme of the site,
 * each after `prepare`, and asserts that none has a horizontal overflow.
 */
export const screenshotThemes = async (page, name, options, prepare = () => {}) => {
  for (const { viewport } of [DESKTOP, PHONE, SMALL_PHONE])
    for (const theme of ["light", "dark"]) {
      await page.setViewportSize(viewport);
      await page.evaluate((theme) => window.sprongTheme.set(theme), theme);
      await prepare();
      assert.equal(await horizontalOverflow(page), 0);
      await screenshot(page, `${name}-${viewport.width}-${theme}`, options);
    }
};
