// Accessibility of error pages, checked by axe; all-pages.test.mjs checks the others.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { findViolations } from "./support/axe.mjs";
import { Server, startServerAndBrowser } from "./support/server.mjs";
import { VIEWPORTS } from "./support/pages.mjs";

const { server, browser } = await startServerAndBrowser();

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
