// Pieces of the two sides differ in lightness and outline with every color vision deficiency.
// Compares grayscale screenshots of single cells under emulated deficiencies.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ALL_CASES } from "./support/all-cases.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { DESKTOP, screenshot } from "./support/viewports.mjs";

/**
 * Minimum difference of two images: mean lightness difference (of 255), and share of edge pixels
 * that only one of them has.
 */
const TONE_MIN = 12;
const EDGES_MIN = 0.3;

/** The same limits for pieces that differ in part only, for example in the stone underneath. */
const PART_TONE_MIN = 6;
const PART_EDGES_MIN = 0.15;

const VISION_TYPES = ["none", "achromatopsia"].concat(
  ALL_CASES ? ["protanopia", "deuteranopia", "tritanopia"] : [],
);

const PIECES = {
  caterpillarWar: ["w", "b"],
  knightFight: ["w", "b"],
  hogga: ["b", "w"],
  kopfOderKnopf: ["r", "b"],
  wieNietWegIs: ["w", "r"],
};

const { server, browser } = await startServerAndBrowser();
let page;
let emulateVision;
before(async () => {
  page = await browser.newPage(DESKTOP);
  const session = await page.context().newCDPSession(page);
  emulateVision = (type) => session.send("Emulation.setEmulatedVisionDeficiency", { type });
  await page.goto(`${server.url}/rules`);
  await page.waitForSelector("main h1");
});

/** Shows a board with the given pieces only (tokens by cell); returns the first piece's area. */
const showPieces = (key, pieces) =>
  page.evaluate(
    async ([variant, tokens]) => {
      const { Board, ratioOf } = await import("/board/board.js");
      const { board } = (await (await fetch("/api/variants")).json()).find(
        (entry) => entry.key === variant,
      );
      const nameOf = (col, row) => `${String.fromCharCode(97 + col)}${board.rows - row}`;
      const rows = Array.from({ length: board.rows }, (_, index) =>
        Array.from({ length: board.cols }, (__, col) => tokens[nameOf(col, index)] ?? "."),
      );
      const view = new Board(variant, { board, label: "" });
      view.drawCoords();
      view.show({ cells: rows.map((row) => row.join(",")).join("/") });
      const frame = Object.assign(document.createElement("div"), { id: "alone" });
      frame.style = `position: fixed; inset: 0 auto auto 0; height: 800px; width: ${800 * ratioOf(board)}px; z-index: 99`;
      document.querySelector("#alone")?.remove();
      frame.append(view.svg);
      document.body.append(frame);
      const unit = frame.getBoundingClientRect().width / view.svg.viewBox.baseVal.width;
      const [x, y] = view.at(Object.keys(tokens)[0]).map((center) => (center - 50) * unit);
      return { x, y, width: 100 * unit, height: 100 * unit };
    },
    [key, pieces],
  );

/** Returns the side that owns a piece; the top stone decides for a stack. */
const ownerOf = (key, token) => PIECES[key].indexOf(token.at(-1).toLowerCase());

/** Returns a screenshot of a cell with the given piece. */
const cellImage = async (key, token) =>
  (await page.screenshot({ clip: await showPieces(key, { c3: token }) })).toString("base64");

/** Returns the differences of two images in grayscale: lightness and edges. */
const difference = (first, second) =>
  page.evaluate(
    async (sources) => {
      const SIDE = 64;
      const images = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = `data:image/png;base64,${source}`;
          await image.decode();
          const canvas = Object.assign(document.createElement("canvas"), {
            width: SIDE,
            height: SIDE,
          });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0, SIDE, SIDE);
          const { data } = context.getImageData(0, 0, SIDE, SIDE);
          return Array.from(
            { length: SIDE * SIDE },
            (_, index) =>
              0.2126 * data[4 * index] +
              0.7152 * data[4 * index + 1] +
              0.0722 * data[4 * index + 2],
          );
        }),
      );
      const tone =
        images[0].reduce((sum, value, index) => sum + Math.abs(value - images[1][index]), 0) /
        images[0].length;
      // Edges are pixels with a steep change of lightness; equal shapes have equal edges.
      const edges = images.map((pixels) =>
        pixels.map(
          (value, index) =>
            Math.hypot(
              value - (pixels[index + 1] ?? value),
              value - (pixels[index + SIDE] ?? value),
            ) > 24,
        ),
      );
      const either = edges[0].filter((isEdge, index) => isEdge || edges[1][index]).length;
      const different = edges[0].filter((isEdge, index) => isEdge !== edges[1][index]).length;
      return { tone, edges: either ? different / either : 0 };
    },
    [first, second],
  );

for (const [key, [first, second]] of Object.entries(PIECES)) {
  test(`${key}: sides differ in all vision modes`, async (context) => {
    for (const type of VISION_TYPES) {
      await emulateVision(type);
      const [image, repeated, otherImage] = [
        await cellImage(key, first),
        await cellImage(key, first),
        await cellImage(key, second),
      ];
      const same = await difference(image, repeated);
      assert.ok(
        same.tone < 1 && same.edges < 0.02,
        `two images of the same piece are equal: ${JSON.stringify(same)}`,
      );
      const { tone, edges } = await difference(image, otherImage);
      context.diagnostic(`${key}, ${type}: tone ${tone.toFixed(1)}, edges ${edges.toFixed(2)}`);
      assert.ok(tone >= TONE_MIN, `${key} in ${type}: tone ${tone}`);
      assert.ok(edges >= EDGES_MIN, `${key} in ${type}: edges ${edges}`);
      await showPieces(key, { c3: first, e3: second });
      await screenshot(page.locator("#alone"), `vision-${key}-${type}`);
    }
    await emulateVision("none");
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
  test(`${key}: special pieces differ in all vision modes`, async (context) => {
    for (const type of VISION_TYPES) {
      await emulateVision(type);
      for (const [first, second] of pairs) {
        const { tone, edges } = await difference(
          await cellImage(key, first),
          await cellImage(key, second),
        );
        context.diagnostic(
          `${key}, ${first} and ${second}, ${type}: tone ${tone.toFixed(1)}, edges ${edges.toFixed(2)}`,
        );
        const areOpponents = ownerOf(key, first) !== ownerOf(key, second);
        assert.ok(
          tone >= (areOpponents ? TONE_MIN : PART_TONE_MIN),
          `${first} and ${second} of ${key} in ${type}: tone ${tone}`,
        );
        assert.ok(
          edges >= PART_EDGES_MIN,
          `${first} and ${second} of ${key} in ${type}: edges ${edges}`,
        );
      }
    }
    await emulateVision("none");
  });
}

test("sides that differ in hue only are detected", async () => {
  const disc = (fill) =>
    page
      .evaluate((color) => {
        document.querySelector("#alone").innerHTML =
          `<svg viewBox="0 0 100 100" width="100"><rect width="100" height="100" fill="#22344a"/><circle cx="50" cy="50" r="36" fill="${color}"/></svg>`;
      }, fill)
      .then(() => page.screenshot({ clip: { x: 0, y: 0, width: 100, height: 100 } }))
      .then((png) => png.toString("base64"));
  // Both discs have the same lightness and shape.
  await emulateVision("achromatopsia");
  const { tone, edges } = await difference(await disc("#d84b36"), await disc("#2f7d4f"));
  await emulateVision("none");
  assert.ok(tone < TONE_MIN, `tone ${tone}`);
  assert.ok(edges < EDGES_MIN, `edges ${edges}`);
});

/** Returns the color of the pixel at the center of an element. */
const centerColor = async (selector) => {
  const center = await page.$eval(selector, (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  });
  const png = await page.screenshot({ clip: { ...center, width: 1, height: 1 } });
  return page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data];
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
};

test("forced colors apply to marks and not to pieces", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${server.url}/analysis/caterpillarWar`);
  await page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  await page.locator("rect.board-cell.is-selectable").first().dispatchEvent("click");
  await page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  const computedColor = (selector, name) =>
    page.$eval(selector, (element, property) => getComputedStyle(element)[property], name);
  const systemColor = (name) =>
    page.evaluate((value) => {
      const probe = Object.assign(document.createElement("i"), {
        style: `color: ${value}; forced-color-adjust: none`,
      });
      document.body.append(probe);
      return getComputedStyle(probe).color;
    }, name);
  assert.equal(
    await computedColor(".board-layer-marks .board-selection", "stroke"),
    await systemColor("Highlight"),
  );
  assert.equal(
    await computedColor(".board-layer-marks .board-selection-edge", "stroke"),
    await systemColor("Canvas"),
  );
  const whiteStone = '.board-layer-pieces use[href="#caterpillarWar-w"]';
  assert.deepEqual(await centerColor(whiteStone), [246, 241, 228, 255]);
  await screenshot(page, "forced-colors");
  await page.emulateMedia({ forcedColors: "none" });
});
