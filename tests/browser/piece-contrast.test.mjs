// Pieces of the two sides differ in lightness and outline with every color vision deficiency.
// Compares grayscale screenshots of single cells under emulated deficiencies.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { house } from "./support/server.mjs";
import { DESK, shot } from "./support/viewports.mjs";

/**
 * Minimum difference of two images: mean lightness difference (of 255), and share of edge pixels
 * that only one of them has.
 */
const TONE_MIN = 12;
const LINES_MIN = 0.3;

/** The same limits for pieces that differ in part only, for example in the stone underneath. */
const PART_TONE_MIN = 6;
const PART_LINES_MIN = 0.15;

const SIGHTS = ["none", "achromatopsia", "protanopia", "deuteranopia", "tritanopia"];

const PIECES = {
  caterpillarWar: ["w", "b"],
  knightFight: ["w", "b"],
  hogga: ["b", "w"],
  kopfOderKnopf: ["r", "b"],
  wieNietWegIs: ["w", "r"],
};

const { server, browser } = await house();
let page;
let sight;
before(async () => {
  page = await browser.newPage(DESK);
  const session = await page.context().newCDPSession(page);
  sight = (type) => session.send("Emulation.setEmulatedVisionDeficiency", { type });
  await page.goto(`${server.url}/rules`);
  await page.waitForSelector("main h1");
});

/** Shows a board with the given pieces only (tokens by cell); returns the first piece's area. */
const lay = (key, pieces) =>
  page.evaluate(
    async ([variant, tokens]) => {
      const { Board, ratioOf } = await import("/board/board.js");
      const { board } = (await (await fetch("/api/variants")).json()).find(
        (one) => one.key === variant,
      );
      const nameOf = (col, at) => `${String.fromCharCode(97 + col)}${board.rows - at}`;
      const rows = Array.from({ length: board.rows }, (_, at) =>
        Array.from({ length: board.cols }, (__, col) => tokens[nameOf(col, at)] ?? "."),
      );
      const drawn = new Board(variant, { board, label: "" });
      drawn.drawCoords();
      drawn.show({ cells: rows.map((row) => row.join(",")).join("/") });
      const frame = Object.assign(document.createElement("div"), { id: "alone" });
      frame.style = `position: fixed; inset: 0 auto auto 0; height: 800px; width: ${800 * ratioOf(board)}px; z-index: 99`;
      document.querySelector("#alone")?.remove();
      frame.append(drawn.svg);
      document.body.append(frame);
      const unit = frame.getBoundingClientRect().width / drawn.svg.viewBox.baseVal.width;
      const [x, y] = drawn.at(Object.keys(tokens)[0]).map((middle) => (middle - 50) * unit);
      return { x, y, width: 100 * unit, height: 100 * unit };
    },
    [key, pieces],
  );

/** Returns the side that owns a piece; the top stone decides for a stack. */
const ownerOf = (key, token) => PIECES[key].indexOf(token.at(-1).toLowerCase());

/** Returns a screenshot of a cell with the given piece. */
const picture = async (key, token) =>
  (await page.screenshot({ clip: await lay(key, { c3: token }) })).toString("base64");

/** Returns the differences of two images in grayscale: lightness and edges. */
const difference = (one, two) =>
  page.evaluate(
    async (sources) => {
      const SIDE = 64;
      const greys = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = `data:image/png;base64,${source}`;
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), {
            width: SIDE,
            height: SIDE,
          });
          const pen = canvas.getContext("2d");
          pen.drawImage(image, 0, 0, SIDE, SIDE);
          const { data } = pen.getImageData(0, 0, SIDE, SIDE);
          return Array.from(
            { length: SIDE * SIDE },
            (_, at) =>
              0.2126 * data[4 * at] + 0.7152 * data[4 * at + 1] + 0.0722 * data[4 * at + 2],
          );
        }),
      );
      const tone =
        greys[0].reduce((sum, grey, at) => sum + Math.abs(grey - greys[1][at]), 0) /
        greys[0].length;
      // Edges are pixels with a steep change of lightness; equal shapes have equal edges.
      const lines = greys.map((grey) =>
        grey.map(
          (value, at) =>
            Math.hypot(value - (grey[at + 1] ?? value), value - (grey[at + SIDE] ?? value)) > 24,
        ),
      );
      const either = lines[0].filter((line, at) => line || lines[1][at]).length;
      const unlike = lines[0].filter((line, at) => line !== lines[1][at]).length;
      return { tone, lines: either ? unlike / either : 0 };
    },
    [one, two],
  );

for (const [key, [first, second]] of Object.entries(PIECES)) {
  test(`${key}: sides differ in all color vision modes`, async (context) => {
    for (const type of SIGHTS) {
      await sight(type);
      const [one, again, two] = [
        await picture(key, first),
        await picture(key, first),
        await picture(key, second),
      ];
      const same = await difference(one, again);
      assert.ok(
        same.tone < 1 && same.lines < 0.02,
        `two images of the same piece are equal: ${JSON.stringify(same)}`,
      );
      const { tone, lines } = await difference(one, two);
      context.diagnostic(`${key}, ${type}: tone ${tone.toFixed(1)}, lines ${lines.toFixed(2)}`);
      assert.ok(tone >= TONE_MIN, `${key} in ${type}: tone ${tone}`);
      assert.ok(lines >= LINES_MIN, `${key} in ${type}: lines ${lines}`);
      await lay(key, { c3: first, e3: second });
      await shot(page.locator("#alone"), `sight-${key}-${type}`);
    }
    await sight("none");
  });
}

/** Stacks and single stones, Hoggas and pawns, circles facing up and down. */
const PAIRS = {
  caterpillarWar: [
    ["wb", "bw"],
    ["wb", "b"],
    ["bw", "w"],
  ],
  hogga: [
    ["B", "W"],
    ["B", "b"],
    ["W", "w"],
    ["B", "w"],
    ["W", "b"],
  ],
  wieNietWegIs: [
    ["W", "R"],
    ["W", "w"],
    ["R", "r"],
    ["W", "r"],
    ["R", "w"],
  ],
};

for (const [key, pairs] of Object.entries(PAIRS)) {
  test(`${key}: special pieces differ in all color vision modes`, async (context) => {
    for (const type of SIGHTS) {
      await sight(type);
      for (const [one, two] of pairs) {
        const { tone, lines } = await difference(await picture(key, one), await picture(key, two));
        context.diagnostic(
          `${key}, ${one} and ${two}, ${type}: tone ${tone.toFixed(1)}, lines ${lines.toFixed(2)}`,
        );
        const sides = ownerOf(key, one) !== ownerOf(key, two);
        assert.ok(
          tone >= (sides ? TONE_MIN : PART_TONE_MIN),
          `${one} and ${two} of ${key} in ${type}: tone ${tone}`,
        );
        assert.ok(
          lines >= PART_LINES_MIN,
          `${one} and ${two} of ${key} in ${type}: lines ${lines}`,
        );
      }
    }
    await sight("none");
  });
}

test("sides that differ in hue only are detected", async () => {
  const disc = (fill) =>
    page
      .evaluate((colour) => {
        document.querySelector("#alone").innerHTML =
          `<svg viewBox="0 0 100 100" width="100"><rect width="100" height="100" fill="#22344a"/><circle cx="50" cy="50" r="36" fill="${colour}"/></svg>`;
      }, fill)
      .then(() => page.screenshot({ clip: { x: 0, y: 0, width: 100, height: 100 } }))
      .then((png) => png.toString("base64"));
  // Both discs have the same lightness and shape.
  await sight("achromatopsia");
  const { tone, lines } = await difference(await disc("#d84b36"), await disc("#2f7d4f"));
  await sight("none");
  assert.ok(tone < TONE_MIN, `tone ${tone}`);
  assert.ok(lines < LINES_MIN, `lines ${lines}`);
});

test("forced colors: marks use system colors, pieces keep their own", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${server.url}/analysis/caterpillarWar`);
  await page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  await page.locator("rect.board-cell.is-selectable").first().dispatchEvent("click");
  await page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  const colour = (selector, name) =>
    page.$eval(selector, (element, property) => getComputedStyle(element)[property], name);
  const system = (name) =>
    page.evaluate((value) => {
      const probe = Object.assign(document.createElement("i"), {
        style: `color: ${value}; forced-color-adjust: none`,
      });
      document.body.append(probe);
      return getComputedStyle(probe).color;
    }, name);
  assert.equal(
    await colour(".board-layer-marks .board-selection", "stroke"),
    await system("Highlight"),
  );
  assert.equal(
    await colour(".board-layer-marks .board-selection-edge", "stroke"),
    await system("Canvas"),
  );
  assert.equal(await colour(".piece-top-white", "fill"), "rgb(246, 241, 228)");
  await shot(page, "forced-colours");
  await page.emulateMedia({ forcedColors: "none" });
});
