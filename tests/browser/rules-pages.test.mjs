// Rules pages: consistency of the languages, legality of the examples, and stepping through them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { examples as examplesOf, languages } from "../client/support/languages.mjs";
import { measure } from "../client/support/server-rules.mjs";
import { Person, house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { DESK, shot, sideways } from "./support/viewports.mjs";

const { server, browser } = await house();

const rulesOf = (variant) =>
  Object.fromEntries(
    Object.entries(languages).map(([language, { rules }]) => [language, rules[variant]]),
  );
const guides = new Map(
  Object.entries(examplesOf).map(([variant, examples]) => [
    variant,
    { examples, words: rulesOf(variant) },
  ]),
);
const KEYS = ["aim", "origin", "board", "parts", "options", "end", "notation", "readings", "hint"];

const isText = (value, where) =>
  assert.ok(typeof value === "string" && value.trim() === value && value !== "", where);

test("languages have the same structure, and every ply has a note", () => {
  for (const [language, { rules }] of Object.entries(languages))
    assert.deepEqual(Object.keys(rules).sort(), [...guides.keys()].sort(), language);
  for (const [variant, { examples, words }] of guides) {
    assert.deepEqual(Object.keys(words), ["en", "nl", "sv"], variant);
    for (const [language, page] of Object.entries(words)) {
      const where = `${variant} ${language}`;
      assert.deepEqual(Object.keys(page), KEYS, where);
      isText(page.aim, where);
      isText(page.origin, where);
      for (const key of KEYS.slice(2)) {
        assert.equal(page[key].length, words.en[key].length, `${where} ${key}`);
        if (key !== "parts") page[key].forEach((entry) => isText(entry, `${where} ${key}`));
      }
      page.parts.forEach(({ title, text, example, notes }, at) => {
        isText(title, where);
        isText(text, where);
        assert.equal(example, words.en.parts[at].example, where);
        if (example)
          assert.equal(notes.length, examples[example].moves.length + 1, `${where} ${title}`);
        notes?.forEach((note) => isText(note, where));
      });
    }
    const used = words.en.parts.map(({ example }) => example).filter(Boolean);
    assert.deepEqual(used.sort(), Object.keys(examples).sort(), variant);
  }
});

test("examples are legal in the rules core", () => {
  const asked = [...guides].flatMap(([variant, { examples }]) =>
    Object.entries(examples).map(([name, { start, options, moves }]) => [
      `${variant} ${name}`,
      { variant, options, moves, ...(start && { start }) },
    ]),
  );
  const answers = measure(asked.map(([, question]) => question));
  assert.equal(answers.length, asked.length);
  answers.forEach(({ error }, at) => assert.equal(error, undefined, asked[at][0]));
});

test("flipped board keeps its zone lines in place", async () => {
  const [black, white] = await Promise.all(
    ["Black", "White"].map((name) => Person.open(browser, server, { name }, null)),
  );
  const id = await black.begin(white, "hogga");
  const lines = await Promise.all(
    [black, white].map(async (person) => {
      await person.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
      const boxes = await person.page
        .locator(".board-svg.is-interactive .board-zone")
        .evaluate((path) =>
          path
            .getAttribute("d")
            .match(/M[-\d.]+ [-\d.]+[hv]/g)
            .map((move) => move.slice(1)),
        );
      return [
        ...new Set(
          boxes.map((move) =>
            move.endsWith("h") ? `y${move.split(" ")[1]}` : `x${move.split(" ")[0]}`,
          ),
        ),
      ].sort();
    }),
  );
  assert.deepEqual(lines[0], lines[1]);
  assert.equal(lines[0].length, 7, "four horizontal and three vertical lines");
});

test("rules pages have examples in all languages and a link to the game", async () => {
  const person = await Person.open(browser, server);
  const { page } = person;
  const catalogue = (await person.ask("/api/variants")).body;
  assert.deepEqual(catalogue.map(({ key }) => key).sort(), [...guides.keys()].sort());
  await page.click("header nav >> text=Rules");
  await page.waitForSelector(".rules-index li");
  assert.equal(await page.locator(".rules-index li").count(), catalogue.length);
  for (const [language, width, scheme] of [
    ["en", 1280, "light"],
    ["nl", 390, "dark"],
    ["sv", 768, "light"],
  ]) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    for (const { key, names } of catalogue) {
      await person.visit(`/rules/${key}`, ".rules-example");
      assert.equal(await page.textContent("h1"), names[language]);
      const { examples, words } = guides.get(key);
      const examplesShown = await page.locator(".rules-part:not(.is-first) .rules-example").count();
      assert.equal(examplesShown, Object.keys(examples).length);
      for (const [at, { example, notes }] of words[language].parts
        .filter((part) => part.example)
        .entries()) {
        const figure = page.locator(".rules-part:not(.is-first) .rules-example").nth(at);
        await figure.locator(`text=0 / ${examples[example].moves.length}`).waitFor();
        const on = figure.locator(".rules-example-steps button").last();
        const show = (element, presses) =>
          Array.from({ length: presses + 1 }, (_, press) => {
            if (press > 0)
              [...element.querySelectorAll(".rules-example-steps button")].at(-1).click();
            return [
              element.querySelector(".rules-example-note").textContent,
              [...element.querySelectorAll("svg .board-layer-pieces, svg .board-layer-ground")]
                .map((layer) => layer.innerHTML)
                .join(),
            ];
          });
        // Uses the mouse in one language only: the buttons are the same in all.
        const seen = await figure.evaluate(show, language === "en" ? 0 : notes.length - 1);
        while (seen.length < notes.length) {
          await on.click();
          seen.push(...(await figure.evaluate(show, 0)));
        }
        assert.deepEqual(
          seen.map(([told]) => told),
          notes,
        );
        if (examples[example].moves[0] !== "pass")
          seen
            .slice(1)
            .forEach(([, drawn], ply) => assert.notEqual(drawn, seen[ply][1], `${key} ${example}`));
      }
      assert.equal(await sideways(page), 0, `${key} scrolls sideways at ${width}`);
      await shot(page, `rules-${key}-${width}-${scheme}`, { fullPage: width === 1280 });
    }
  }
  await page.evaluate(() => localStorage.setItem("language", "en"));
  await page.setViewportSize(DESK.viewport);
  const other = await Person.open(browser, server, { name: "Other" }, null);
  await page.goto("about:blank");
  const id = await person.begin(other, "hogga");
  await page.goto(`${server.url}/${id}`);
  await page.click(".game-info >> text=Rules");
  await page.waitForURL(`${server.url}/rules/hogga?game=${id}`);
  await page.click("text=Back to the game");
  await page.waitForURL(`${server.url}/${id}`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const response = await page.goto(`${server.url}/rules/chess`);
  assert.equal(response.status(), 404);
  wasQuiet(server, [person], /404/);
});
