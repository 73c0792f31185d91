// Accessibility of every page, checked by axe: desktop, phone in dark mode, and high contrast.
import axe from "axe-core";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Server, startServerAndBrowser } from "./support/server.mjs";
import { VIEWPORTS, visitAllPages, waitForAnimations } from "./support/pages.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Pages with the same colors as another page. The high-contrast check skips them. */
const SAME_COLORS =
  /rules of|somebody|guest|broken|their turn|spectator|seen by others|typed|question|best game/;

const { server, browser } = await startServerAndBrowser();

/** Rules that a theme change can break. */
const COLOR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Returns the number of passed rules and one line per violation, with the affected elements. */
const findViolations = async (page, runOnly = { type: "tag", values: TAGS }) => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(
    (only) => window.axe.run({ runOnly: only, resultTypes: ["violations"] }),
    runOnly,
  );
  return {
    rules: passes.length,
    violations: violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(
            ({ target, failureSummary }) =>
              `${target.join(" ")} (${failureSummary.split("\n").slice(1, 3).join(" ").trim()})`,
          )
          .join("; ")}`,
    ),
  };
};

test("axe reports no violation on any page", async (context) => {
  const allViolations = [];
  const checkPage = async (page, name, viewport, runOnly) => {
    const { rules, violations } = await findViolations(page, runOnly);
    context.diagnostic(`${name}, ${viewport}: ${rules} rules kept, ${violations.length} broken`);
    if (violations.length)
      await page.screenshot({
        path: `${import.meta.dirname}/shots/axe-${name.replaceAll(/\W+/g, "-")}-${viewport}.png`,
      });
    allViolations.push(...violations.map((violation) => `${name}, ${viewport}: ${violation}`));
  };
  await visitAllPages(browser, server, VIEWPORTS, async (page, name, viewport) => {
    await checkPage(page, name, viewport);
    if (SAME_COLORS.test(name)) return;
    // The theme setting selects high contrast on the desktop; the system requests it on the phone.
    if (viewport === "desktop") await page.evaluate(() => window.sprongTheme.set("contrast"));
    else await page.emulateMedia({ contrast: "more" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
    await waitForAnimations(page);
    await checkPage(page, name, `contrast, ${viewport}`, COLOR_RULES);
    await page.emulateMedia({ contrast: null });
  });
  assert.deepEqual(allViolations, []);
});

test("axe reports no violation on error pages", async () => {
  const limitedServer = await Server.start("--read-limit", "1");
  after(() => limitedServer.stop());
  for (const [name, viewport] of Object.entries(VIEWPORTS)) {
    const context = await browser.newContext({ viewport, colorScheme: viewport.colorScheme });
    const page = await context.newPage();
    await page.goto(`${limitedServer.url}/about`);
    await page.goto(`${limitedServer.url}/rules`);
    await page.waitForSelector(".page-message h1");
    assert.match(await page.title(), /Too many requests/);
    assert.deepEqual((await findViolations(page)).violations, [], `too many requests, ${name}`);
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${server.url}/players`);
    await page.waitForSelector(".page-message:has([role=alert]) .btn");
    assert.deepEqual((await findViolations(page)).violations, [], `server unreachable, ${name}`);
    await context.close();
  }
});

test("axe reports an image without alternative text", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/rules`);
  // Outside `main`, whose content the page's script replaces.
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement("img"), { src: "/icon.svg" })),
  );
  const { violations } = await findViolations(page);
  assert.match(violations.join(), /image-alt/);
  await page.close();
});
