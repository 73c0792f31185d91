// Rules pages: consistency of the languages, legality of the examples, and stepping through them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { examples as examplesOf, languages } from "../client/support/languages.mjs";
import { queryServerRules } from "../client/support/server-rules.mjs";
import { ALL_CASES } from "./support/all-cases.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot, horizontalOverflow } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const rulesOf = (variant) =>
  Object.fromEntries(
    Object.entries(languages).map(([language, { rules }]) => [language, rules[variant]]),
  );
const guides = new Map(
  Object.entries(examplesOf).map(([variant, examples]) => [
    variant,
    { examples, texts: rulesOf(variant) },
  ]),
);
const KEYS = [
  "aim",
  "origin",
  "board",
  "parts",
  "options",
  "end",
  "entry",
  "notation",
  "readings",
  "hint",
];

const isText = (value, label) =>
  assert.ok(typeof value === "string" && value.trim() === value && value !== "", label);

test("languages have the same structure, and every ply has a note", () => {
  for (const [language, { rules }] of Object.entries(languages))
    assert.deepEqual(Object.keys(rules).sort(), [...guides.keys()].sort(), language);
  for (const [variant, { examples, texts }] of guides) {
    assert.deepEqual(Object.keys(texts), ["en", "nl", "sv"], variant);
    for (const [language, page] of Object.entries(texts)) {
      const label = `${variant} ${language}`;
      assert.deepEqual(Object.keys(page), KEYS, label);
      isText(page.aim, label);
      isText(page.origin, label);
      for (const key of KEYS.slice(2)) {
        assert.equal(page[key].length, texts.en[key].length, `${label} ${key}`);
        if (key !== "parts") page[key].forEach((entry) => isText(entry, `${label} ${key}`));
      }
      page.parts.forEach(({ title, text, example, notes }, index) => {
        isText(title, label);
        isText(text, label);
        assert.equal(example, texts.en.parts[index].example, label);
        if (example)
          assert.equal(notes.length, examples[example].moves.length + 1, `${label} ${title}`);
        notes?.forEach((note) => isText(note, label));
      });
    }
    const usedExamples = texts.en.parts.map(({ example }) => example).filter(Boolean);
    assert.deepEqual(usedExamples.sort(), Object.keys(examples).sort(), variant);
  }
});

test("examples are legal in the rules core", () => {
  const queries = [...guides].flatMap(([variant, { examples }]) =>
    Object.entries(examples).map(([name, { start, options, moves }]) => [
      `${variant} ${name}`,
      { variant, options, moves, ...(start && { start }) },
    ]),
  );
  const answers = queryServerRules(queries.map(([, query]) => query));
  assert.equal(answers.length, queries.length);
  answers.forEach(({ error }, index) => assert.equal(error, undefined, queries[index][0]));
});

test("flipped board keeps its zone lines in place", async () => {
  const [black, white] = await Promise.all(
    ["Black", "White"].map((name) => User.open(browser, server, { name }, null)),
  );
  const id = await black.startGame(white, "hogga");
  const lines = await Promise.all(
    [black, white].map(async (user) => {
      await user.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
      const segments = await user.page
        .locator(".board-svg.is-interactive .board-zone")
        .evaluate((path) =>
          path
            .getAttribute("d")
            .match(/M[-\d.]+ [-\d.]+[hv]/g)
            .map((move) => move.slice(1)),
        );
      return [
        ...new Set(
          segments.map((move) =>
            move.endsWith("h") ? `y${move.split(" ")[1]}` : `x${move.split(" ")[0]}`,
          ),
        ),
      ].sort();
    }),
  );
  assert.deepEqual(lines[0], lines[1]);
  assert.equal(lines[0].length, 7, "four horizontal and three vertical lines");
});

test("rules pages have examples and a link back to the game", async () => {
  const user = await User.open(browser, server);
  const { page } = user;
  const variants = (await user.request("/api/variants")).body;
  assert.deepEqual(variants.map(({ key }) => key).sort(), [...guides.keys()].sort());
  await page.click("header nav >> text=Rules");
  await page.waitForSelector(".rules-index li");
  assert.equal(await page.locator(".rules-index li").count(), variants.length);
  for (const [language, width, scheme] of [
    ["en", 1280, "light"],
    ["nl", 390, "dark"],
    ...(ALL_CASES ? [["sv", 768, "light"]] : []),
  ]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    for (const { key, names } of variants) {
      await user.visit(`/rules/${key}`, ".rules-example");
      assert.equal(await page.textContent("h1"), names[language]);
      const { examples, texts } = guides.get(key);
      const examplesShown = await page.locator(".rules-part:not(.is-first) .rules-example").count();
      assert.equal(examplesShown, Object.keys(examples).length);
      for (const [index, { example, notes }] of texts[language].parts
        .filter((part) => part.example)
        .entries()) {
        const figure = page.locator(".rules-part:not(.is-first) .rules-example").nth(index);
        await figure.locator(`text=0 / ${examples[example].moves.length}`).waitFor();
        const nextButton = figure.locator(".rules-example-steps button").last();
        // A press in the page checks, as the mouse does, that nothing covers the button.
        const readSteps = (element, presses) =>
          Array.from({ length: presses + 1 }, (_, press) => {
            if (press > 0) {
              const button = [...element.querySelectorAll(".rules-example-steps button")].at(-1);
              button.scrollIntoView({ block: "center", behavior: "instant" });
              const { x, y, width, height } = button.getBoundingClientRect();
              if (!button.contains(document.elementFromPoint(x + width / 2, y + height / 2)))
                throw new Error("the button is covered");
              button.click();
            }
            return [
              element.querySelector(".rules-example-note").textContent,
              [...element.querySelectorAll("svg .board-layer-pieces, svg .board-layer-ground")]
                .map((layer) => layer.innerHTML)
                .join(),
            ];
          });
        // Uses the mouse for the first step of an example, and in one language only.
        const steps = await figure.evaluate(readSteps, language === "en" ? 0 : notes.length - 1);
        if (language === "en") {
          await nextButton.click();
          steps.push(...(await figure.evaluate(readSteps, notes.length - 2)));
        }
        assert.deepEqual(
          steps.map(([note]) => note),
          notes,
        );
        if (examples[example].moves[0] !== "pass")
          steps
            .slice(1)
            .forEach(([, board], ply) =>
              assert.notEqual(board, steps[ply][1], `${key} ${example}`),
            );
      }
      assert.equal(await horizontalOverflow(page), 0, `${key} scrolls sideways at ${width}`);
      await screenshot(page, `rules-${key}-${width}-${scheme}`, { fullPage: width === 1280 });
    }
  }
  await page.evaluate(() => localStorage.setItem("language", "en"));
  await page.setViewportSize(DESKTOP.viewport);
  const other = await User.open(browser, server, { name: "Other" }, null);
  await page.goto("about:blank");
  const id = await user.startGame(other, "hogga");
  await page.goto(`${server.url}/${id}`);
  await page.click(".game-info >> text=Rules");
  await page.waitForURL(`${server.url}/rules/hogga?game=${id}`);
  await page.click("text=Back to the game");
  await page.waitForURL(`${server.url}/${id}`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const response = await page.goto(`${server.url}/rules/chess`);
  assert.equal(response.status(), 404);
  assertNoErrors(server, [user], /404/);
});

test("taps on the board of an example play its move", async () => {
  const user = await User.open(browser, server, PHONE, "/rules/caterpillarWar");
  const { page } = user;
  const figure = page.locator(".rules-part:not(.is-first) .rules-example").nth(1);
  await figure.locator("text=0 / 1").waitFor();
  await figure.scrollIntoViewIfNeeded();
  const board = figure.locator("svg.board-svg").first();
  const tap = async (col, row) => {
    const { x, y, width } = await board.boundingBox();
    const unit = width / 868;
    await page.touchscreen.tap(
      x + (34 + 100 * col + 50) * unit,
      y + (34 + 100 * (8 - row) + 50) * unit,
    );
  };
  const note = () => figure.locator(".rules-example-note").textContent();
  const { notes } = guides.get("caterpillarWar").texts.en.parts[1];
  // Another square says what it holds; the move itself is b3, d3, f3.
  await tap(6, 7);
  assert.match(await note(), /^g7: black/);
  for (const col of [1, 3]) await tap(col, 3);
  assert.equal(await figure.locator(".board-selection").count(), 2);
  await tap(5, 3);
  await figure.locator("text=1 / 1").waitFor();
  assert.equal(await note(), notes[1]);
  assertNoErrors(server, [user]);
});

test("a rules page leads to the lesson, to games and to its parts", async () => {
  const user = await User.open(browser, server, {}, "/rules/wieNietWegIs");
  const { page } = user;
  await page.waitForSelector(".rules-example .board-svg rect");
  const anchors = await page.$$eval(".rules-contents a", (links) =>
    links.map((link) => [link.getAttribute("href"), link.textContent]),
  );
  const headings = await page.$$eval(".rules section", (sections) =>
    sections.map((section) => [`#${section.id}`, section.querySelector("h2").textContent]),
  );
  assert.deepEqual(anchors, headings);
  await page.click(".rules-contents a >> nth=3");
  assert.equal(new URL(page.url()).hash, "#rules.entry");
  assert.equal(await page.getAttribute(".rules-actions a >> nth=1", "href"), "/find");
  await page.click(".rules-actions >> text=Learn by playing");
  await page.waitForSelector(".learn rect.board-cell.is-selectable");
  await page.goBack();
  await page.click(".rules-actions >> text=Play the computer, level 1");
  await page.waitForURL(/\/\w{8}$/);
  await page.waitForSelector(".game-player .is-bot");
  assertNoErrors(server, [user]);
});
