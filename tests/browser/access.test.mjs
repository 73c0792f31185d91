// Accessibility of every page, checked by axe: desktop, phone in dark mode, and high contrast.
import axe from "axe-core";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Server, house } from "./support/server.mjs";
import { LOOKS, everywhere, still } from "./support/pages.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Pages with the same colors as another page. The high-contrast check skips them. */
const ALIKE =
  /rules of|somebody|guest|broken|their turn|spectator|seen by others|typed|question|best game/;

const { server, browser } = await house();

/** Rules that a theme change can break. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Returns the number of passed rules and one line per violation, with the affected elements. */
const faultsOf = async (page, runOnly = { type: "tag", values: TAGS }) => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(
    (only) => window.axe.run({ runOnly: only, resultTypes: ["violations"] }),
    runOnly,
  );
  return {
    rules: passes.length,
    faults: violations.map(
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
  const wrong = [];
  const look = async (page, name, how, only) => {
    const { rules, faults } = await faultsOf(page, only);
    context.diagnostic(`${name}, ${how}: ${rules} rules kept, ${faults.length} broken`);
    if (faults.length)
      await page.screenshot({
        path: `${import.meta.dirname}/shots/axe-${name.replaceAll(/\W+/g, "-")}-${how}.png`,
      });
    wrong.push(...faults.map((fault) => `${name}, ${how}: ${fault}`));
  };
  await everywhere(browser, server, LOOKS, async (page, name, how) => {
    await look(page, name, how);
    if (ALIKE.test(name)) return;
    // The theme setting selects high contrast on the desktop; the system requests it on the phone.
    if (how === "desk") await page.evaluate(() => window.sprongTheme.set("contrast"));
    else await page.emulateMedia({ contrast: "more" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "contrast");
    await still(page);
    await look(page, name, `contrast, ${how}`, COLOURS);
    await page.emulateMedia({ contrast: null });
  });
  assert.deepEqual(wrong, []);
});

test("axe reports no violation on error pages", async () => {
  const strict = await Server.start("--read-limit", "1");
  after(() => strict.stop());
  for (const [name, look] of Object.entries(LOOKS)) {
    const context = await browser.newContext({ viewport: look, colorScheme: look.colorScheme });
    const page = await context.newPage();
    await page.goto(`${strict.url}/about`);
    await page.goto(`${strict.url}/rules`);
    await page.waitForSelector(".page-message h1");
    assert.match(await page.title(), /Too many requests/);
    assert.deepEqual((await faultsOf(page)).faults, [], `too many requests, ${name}`);
    await page.route("**/api/**", (route) => route.abort());
    await page.goto(`${server.url}/players`);
    await page.waitForSelector(".page-message:has([role=alert]) .btn");
    assert.deepEqual((await faultsOf(page)).faults, [], `server unreachable, ${name}`);
    await context.close();
  }
});

test("axe reports an image without alternative text", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/rules`);
  await page.waitForSelector("main h1");
  await page.evaluate(() =>
    document
      .querySelector("main")
      .append(Object.assign(document.createElement("img"), { src: "/icon.svg" })),
  );
  const { faults } = await faultsOf(page);
  assert.match(faults.join(), /image-alt/);
  await page.close();
});
