// Every page fits: no page scrolls sideways with enlarged text or in a narrow window, and touch
// targets are large enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, startServerAndBrowser } from "./support/server.mjs";
import { VIEWPORTS, visitAllPages } from "./support/pages.mjs";
import { screenshot } from "./support/viewports.mjs";

/** Minimum size of a touch target, in CSS pixels. */
const TARGET_SIZE = 44;

const { server, browser } = await startServerAndBrowser();

/** Visits all pages of a separate, empty server. */
const visitPages = async (viewports, check) => {
  const ownServer = await Server.start();
  try {
    await visitAllPages(browser, ownServer, viewports, check);
  } finally {
    await ownServer.stop();
  }
};

/** Returns the horizontal overflow in pixels with the elements that cause it, or null. */
const describeOverflow = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const overflow = document.documentElement.scrollWidth - width;
    if (overflow <= 0) return null;
    const causes = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 0.5 &&
        !element.closest("svg *, .visually-hidden"),
    );
    return `${overflow} px: ${causes
      .slice(0, 4)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`)
      .join(", ")}`;
  });

/** Multiplies all font sizes, like a browser that enlarges text only. */
const enlargeText = (page, scale) =>
  page.evaluate((factor) => {
    const sizes = [...document.querySelectorAll("body, body *:not(svg *)")].map((element) => [
      element,
      parseFloat(getComputedStyle(element).fontSize),
    ]);
    for (const [element, size] of sizes) element.style.fontSize = `${size * factor}px`;
  }, scale);

/**
 * Returns the controls whose touch target is too small, by their box and by hit tests beside their
 * center.
 */
const smallTargets = (page) =>
  page.evaluate((size) => {
    const top = document.querySelector("dialog[open]") ?? document.body;
    // The label of a checkbox belongs to its target.
    const targetOf = (element) =>
      (element.matches("[type=checkbox], [type=radio]") && element.labels[0]) || element;
    const controls = [
      ...top.querySelectorAll(
        "a[href], button:not(:disabled), input, select, textarea, summary, [role=switch], [role=option]",
      ),
    ].map(targetOf);
    const hits = (element, x, y) => {
      const hit = document.elementFromPoint(x, y);
      return (
        hit &&
        (element.contains(hit) ||
          (hit.contains(element) && hit.matches("label, a, button, summary")) ||
          element.labels?.[0]?.contains(hit))
      );
    };
    // Links within text are as high as their line.
    const isInText = (element) =>
      element.matches("a") &&
      getComputedStyle(element).display === "inline" &&
      [...element.parentNode.childNodes].some(
        (node) => node.nodeType === 3 && /\p{L}/u.test(node.data),
      );
    return controls
      .filter((element) => {
        if (
          !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
          element.closest("[inert], .visually-hidden, .skip-link") ||
          isInText(element)
        )
          return false;
        const box = element.getBoundingClientRect();
        if (box.width >= size - 0.5 && box.height >= size - 0.5) return false;
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top: above, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, above + height / 2];
        const half = size / 2 - 1;
        const fitsHorizontally =
          width >= size - 0.5 || [-half, half].every((offset) => hits(element, x + offset, y));
        const fitsVertically =
          height >= size - 0.5 || [-half, half].every((offset) => hits(element, x, y + offset));
        return !(fitsHorizontally && fitsVertically);
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 24)}” ${Math.round(width)}×${Math.round(height)}`;
      });
  }, TARGET_SIZE);

test("no page scrolls sideways with double text size or 400% zoom", async (context) => {
  const failures = [];
  const viewports = {
    "text twice as large": { ...VIEWPORTS.desktop, text: 2 },
    "four times as near": { ...VIEWPORTS.desktop, width: 320, height: 256 },
  };
  await visitPages(viewports, async (page, name, viewport) => {
    if (viewports[viewport].text) await enlargeText(page, viewports[viewport].text);
    const overflow = await describeOverflow(page);
    if (overflow) failures.push(`${name}, ${viewport}: ${overflow}`);
    if (/^home with|^a game, my turn|^the own/.test(name))
      await screenshot(page, `fits-${name} ${viewport}`.replaceAll(/\W+/g, "-"));
  });
  context.diagnostic(`${failures.length} pages are too wide`);
  assert.deepEqual(failures, []);
});

test("touch targets on a phone are at least 44 pixels large", async (context) => {
  const failures = new Map();
  await visitPages({ phone: VIEWPORTS.phone }, async (page, name) => {
    for (const target of await smallTargets(page))
      failures.set(target, [...(failures.get(target) ?? []), name]);
  });
  context.diagnostic(`${failures.size} are too small`);
  assert.deepEqual(
    [...failures].map(
      ([target, names]) =>
        `${target}: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}`,
    ),
    [],
  );
});

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
        const hit = document.elementFromPoint(
          left + width / 2,
          top + Math.min(height, innerHeight - top) / 2,
        );
        return {
          element: `${active.tagName} ${active.textContent.trim().slice(0, 20)}`,
          hidden: active !== document.body && !active.contains(hit) && !hit?.contains(active),
        };
      });
      assert.ok(!hidden, `${element} on ${path} has the focus and cannot be seen`);
      visited.add(element);
    }
    assert.ok(visited.size > 8, `${path}: ${visited.size} places`);
  }
  await page.close();
});
