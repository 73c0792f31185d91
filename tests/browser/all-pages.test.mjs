// Checks of every page: accessibility by axe on a desktop, on a phone in dark mode and in high
// contrast, the size of touch targets, and the width with enlarged text and in a narrow window. The
// tests share one visit, as opening a page takes longer than most checks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_CASES } from "./support/all-cases.mjs";
import { COLOR_RULES, emptyPictures, findViolations } from "./support/axe.mjs";
import { mailArguments } from "./support/mail-server.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { VIEWPORTS, visitAllPages, waitForAnimations } from "./support/pages.mjs";
import { describeOverflow, enlargeText, smallTargets } from "./support/page-sizes.mjs";
import { screenshot } from "./support/viewports.mjs";

/**
 * Pages that resemble another page. Outside tests/slow, they are checked on the phone only: not in
 * high contrast, nor with double text size.
 */
const SIMILAR = new RegExp(
  "rules of|somebody|guest|broken|their turn|spectator|seen by others|typed|question|best game" +
    "|log of moderators",
);

/** Window of a desktop after its pages are enlarged to 400%. */
const ZOOMED = { width: 320, height: 256 };

// Nothing is sent: no account has an address.
const { server, browser } = await startServerAndBrowser(mailArguments("smtp://127.0.0.1:25"));

/** Violations and overflows, one line each; names of the pages with each small target. */
const violations = [];
const overflows = [];
const smallTouchTargets = new Map();
const visitedPages = new Set();
const desktopPages = new Set();

const checkAccess = async (page, name, viewport, runOnly) => {
  const found = await findViolations(page, runOnly);
  assert.ok(found.rules > 0, `axe checked ${name}, ${viewport}`);
  if (found.violations.length)
    await page.screenshot({
      path: `${import.meta.dirname}/shots/axe-${name.replaceAll(/\W+/g, "-")}-${viewport}.png`,
    });
  violations.push(...found.violations.map((violation) => `${name}, ${viewport}: ${violation}`));
};

/** Checks the colors in high contrast: set on the desktop, requested by the system on the phone. */
const checkContrast = async (page, name, viewport) => {
  const setTheme = (theme) => page.evaluate((value) => window.sprongTheme.set(value), theme);
  if (viewport === "desktop") await setTheme("contrast");
  else await page.emulateMedia({ contrast: "more" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
  await waitForAnimations(page);
  await checkAccess(page, name, `contrast, ${viewport}`, COLOR_RULES);
  if (viewport === "desktop") await setTheme("system");
  else await page.emulateMedia({ contrast: null });
  await page.waitForFunction(() => document.documentElement.dataset.theme !== "contrast");
};

const checkTouchTargets = async (page, name) => {
  for (const target of await smallTargets(page))
    smallTouchTargets.set(target, [...(smallTouchTargets.get(target) ?? []), name]);
};

const checkWidth = async (page, name, viewport) => {
  // Some parts adapt to a new width with a delay.
  await page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      null,
      { timeout: 3000 },
    )
    .catch(() => {});
  const overflow = await describeOverflow(page);
  if (overflow) overflows.push(`${name}, ${viewport}: ${overflow}`);
  if (/^home with|^a game, my turn|^the own/.test(name))
    await screenshot(page, `fits-${name} ${viewport}`.replaceAll(/\W+/g, "-"));
};

test("axe reports no violation on any page", async (context) => {
  const isDistinct = (name) => ALL_CASES || !SIMILAR.test(name);
  const isVisited = (name, viewport) => viewport === "phone" || isDistinct(name);
  const check = async (page, name, viewport) => {
    visitedPages.add(name);
    if (viewport === "desktop") desktopPages.add(name);
    await emptyPictures(page);
    // Both ways to high contrast lead to the same colors; the pages take turns. Outside tests/slow,
    // they are checked in high contrast in one window, and in the usual colors in the other.
    const contrastViewport = visitedPages.size % 2 ? "desktop" : "phone";
    const hasContrast = viewport === contrastViewport && isDistinct(name);
    if (ALL_CASES || !hasContrast) await checkAccess(page, name, viewport);
    if (hasContrast) await checkContrast(page, name, viewport);
    if (viewport === "desktop") {
      await enlargeText(page, 2);
      await checkWidth(page, name, "double text size");
    } else {
      await checkTouchTargets(page, name);
      await page.setViewportSize(ZOOMED);
      await checkWidth(page, name, "400% zoom");
    }
  };
  await visitAllPages(browser, server, VIEWPORTS, check, { isVisited, resizes: true });
  context.diagnostic(`${visitedPages.size} pages`);
  assert.ok(visitedPages.size > 40, `${visitedPages.size} pages were visited`);
  assert.deepEqual(violations, []);
});

test("no page scrolls sideways with double text size or 400% zoom", () => {
  assert.ok(desktopPages.size > 40, `${desktopPages.size} pages were visited on the desktop`);
  assert.deepEqual(overflows, []);
});

test("touch targets on a phone are at least 44 pixels large", () => {
  assert.ok(visitedPages.size > 40, `${visitedPages.size} pages were visited`);
  assert.deepEqual(
    [...smallTouchTargets].map(
      ([target, names]) =>
        `${target}: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}`,
    ),
    [],
  );
});
