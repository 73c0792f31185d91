// Every page fits: no page scrolls sideways with enlarged text or in a narrow window, and touch
// targets are large enough.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, house } from "./support/server.mjs";
import { LOOKS, everywhere } from "./support/pages.mjs";
import { shot } from "./support/viewports.mjs";

/** Minimum size of a touch target, in CSS pixels. */
const THUMB = 44;

const { server, browser } = await house();

/** Visits all pages of a separate, empty server. */
const visit = async (looks, look) => {
  const own = await Server.start();
  try {
    await everywhere(browser, own, looks, look);
  } finally {
    await own.stop();
  }
};

/** Returns the horizontal overflow in pixels with the elements that cause it, or null. */
const wider = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const over = document.documentElement.scrollWidth - width;
    if (over <= 0) return null;
    const out = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 0.5 &&
        !element.closest("svg *, .visually-hidden"),
    );
    return `${over} px: ${out
      .slice(0, 4)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`)
      .join(", ")}`;
  });

/** Multiplies all font sizes, like a browser that enlarges text only. */
const enlarge = (page, times) =>
  page.evaluate((factor) => {
    const sizes = [...document.querySelectorAll("body, body *:not(svg *)")].map((element) => [
      element,
      parseFloat(getComputedStyle(element).fontSize),
    ]);
    for (const [element, size] of sizes) element.style.fontSize = `${size * factor}px`;
  }, times);

/**
 * Returns the controls whose touch target is too small, by their box and by hit tests beside their
 * center.
 */
const small = (page) =>
  page.evaluate((thumb) => {
    const top = document.querySelector("dialog[open]") ?? document.body;
    // The label of a checkbox belongs to its target.
    const whole = (element) =>
      (element.matches("[type=checkbox], [type=radio]") && element.labels[0]) || element;
    const controls = [
      ...top.querySelectorAll(
        "a[href], button:not(:disabled), input, select, textarea, summary, [role=switch], [role=option]",
      ),
    ].map(whole);
    const reaches = (element, x, y) => {
      const hit = document.elementFromPoint(x, y);
      return (
        hit &&
        (element.contains(hit) ||
          (hit.contains(element) && hit.matches("label, a, button, summary")) ||
          element.labels?.[0]?.contains(hit))
      );
    };
    // Links within text are as high as their line.
    const inText = (element) =>
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
          inText(element)
        )
          return false;
        const box = element.getBoundingClientRect();
        if (box.width >= thumb - 0.5 && box.height >= thumb - 0.5) return false;
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top: above, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, above + height / 2];
        const half = thumb / 2 - 1;
        const across =
          width >= thumb - 0.5 || [-half, half].every((by) => reaches(element, x + by, y));
        const down =
          height >= thumb - 0.5 || [-half, half].every((by) => reaches(element, x, y + by));
        return !(across && down);
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 24)}” ${Math.round(width)}×${Math.round(height)}`;
      });
  }, THUMB);

test("no page scrolls sideways with double text size or 400% zoom", async (context) => {
  const wrong = [];
  const looks = {
    "text twice as large": { ...LOOKS.desk, text: 2 },
    "four times as near": { ...LOOKS.desk, width: 320, height: 256 },
  };
  await visit(looks, async (page, name, look) => {
    if (looks[look].text) await enlarge(page, looks[look].text);
    const over = await wider(page);
    if (over) wrong.push(`${name}, ${look}: ${over}`);
    if (/^home with|^a game, my turn|^the own/.test(name))
      await shot(page, `fits-${name} ${look}`.replaceAll(/\W+/g, "-"));
  });
  context.diagnostic(`${wrong.length} pages are too wide`);
  assert.deepEqual(wrong, []);
});

test("touch targets on a phone are at least 44 pixels large", async (context) => {
  const wrong = new Map();
  await visit({ phone: LOOKS.phone }, async (page, name) => {
    for (const one of await small(page)) wrong.set(one, [...(wrong.get(one) ?? []), name]);
  });
  context.diagnostic(`${wrong.size} are too small`);
  assert.deepEqual(
    [...wrong].map(
      ([one, names]) =>
        `${one}: ${names[0]}${names.length > 1 ? ` and ${names.length - 1} more` : ""}`,
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
    const seen = new Set();
    for (let steps = 0; steps < 40; steps += 1) {
      await page.keyboard.press("Tab");
      const { what, hidden } = await page.evaluate(() => {
        const at = document.activeElement;
        const { left, top, width, height } = at.getBoundingClientRect();
        const hit = document.elementFromPoint(
          left + width / 2,
          top + Math.min(height, innerHeight - top) / 2,
        );
        return {
          what: `${at.tagName} ${at.textContent.trim().slice(0, 20)}`,
          hidden: at !== document.body && !at.contains(hit) && !hit?.contains(at),
        };
      });
      assert.ok(!hidden, `${what} on ${path} has the focus and cannot be seen`);
      seen.add(what);
    }
    assert.ok(seen.size > 8, `${path}: ${seen.size} places`);
  }
  await page.close();
});
