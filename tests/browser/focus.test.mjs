// Elements that have the focus are visible: neither the header nor the tabs of a phone cover them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServerAndBrowser } from "./support/server.mjs";

const { server, browser } = await startServerAndBrowser();

test("focused elements on a phone are not covered", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 600 } });
  for (const [path, ready] of [
    ["/", "form.challenge-form, .hero .quick-play"],
    ["/rules/hogga", ".rules-example .board-svg rect"],
    ["/account", "main .card"],
  ]) {
    await page.goto(server.url + path);
    await page.waitForSelector(ready, { state: "attached" });
    const visited = new Set();
    for (let steps = 0; steps < 40; steps += 1) {
      await page.keyboard.press("Tab");
      const { element, hidden } = await page.evaluate(() => {
        const active = document.activeElement;
        const { left, top, width, height } = active.getBoundingClientRect();
        const visibleHeight = Math.min(height, innerHeight - top);
        // A button of its own lies on a card: two places of an element are looked at.
        const isVisible = [0.25, 0.5].some((part) => {
          const hit = document.elementFromPoint(left + width * part, top + visibleHeight * part);
          return active.contains(hit) || hit?.contains(active);
        });
        return {
          element: `${active.tagName} ${active.textContent.trim().slice(0, 20)}`,
          hidden: active !== document.body && !isVisible,
        };
      });
      assert.ok(!hidden, `${element} on ${path} has the focus and cannot be seen`);
      visited.add(element);
    }
    assert.ok(visited.size > 8, `${path}: ${visited.size} places`);
  }
  await page.close();
});
