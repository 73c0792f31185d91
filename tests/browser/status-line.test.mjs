// Status line of a game: prompts, previews, reports and refusals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, parseCells, parsePosition } from "../../static/model/notation.js";
import { startServerAndBrowser, User } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot } from "./support/viewports.mjs";
import {
  countPlies,
  gameStarter,
  statusAfter,
  statusButton,
  waitForStatus,
} from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

const statusText = ({ page }) => page.textContent(".game-status p");

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`prompts follow the stages of a crawl on a ${device}`, async () => {
    const [ann, bob] = await startGame({}, [options, options]);
    await waitForStatus(ann, "Tap a stone to step – or the tail of a line to crawl.");
    await ann.clickCell("h4");
    await waitForStatus(ann, "Now the tower, the far end of the line");
    await ann.clickCell("h1");
    await waitForStatus(ann, "h4 to h1: 3 stones crawl.");
    await screenshot(ann.page, `status-crawl-${device}`);
    assertNoErrors(server, [ann, bob]);
  });

  test(`refused taps name their rule on a ${device}`, async () => {
    const [cas, dot, id] = await startGame({}, [options, options]);
    const eve = await User.open(browser, server, options, null);
    await eve.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
    const flashes = () => cas.page.locator(".board-flash").count();
    await statusAfter(cas, "d4 is empty.", () => cas.clickCell("d4"));
    assert.ok((await flashes()) > 0, "the movable stones glow");
    await statusAfter(cas, "a5 is your opponent's.", () => cas.clickCell("a5"));
    await cas.clickCell("h5");
    await statusAfter(cas, "f5 can't be the tower", () => cas.clickCell("f5"));
    await cas.clickCell("h1");
    await statusAfter(cas, "Straight or diagonal only.", () => cas.clickCell("c2"));
    await screenshot(cas.page, `status-refusal-${device}`);
    assert.equal(await countPlies(cas), 0);
    // Others are told that they cannot move.
    await statusAfter(dot, "is to move", () => dot.clickCell("d4"));
    await statusAfter(eve, "only the players move", () => eve.clickCell("h5"));
    await cas.resign(id);
    await eve.page.waitForSelector(".game-result");
    await statusAfter(eve, "The game is over.", () => eve.clickCell("h5"));
    assertNoErrors(server, [cas, dot, eve]);
  });
}

test("a late refusal does not replace a newer state", async () => {
  const [ann, bob] = await startGame({});
  const { page } = ann;
  const held = [];
  const isRefusal = (route) => route.request().postDataJSON().clicks?.at(-1) === "d4";
  await page.route("**/api/position", async (route) => {
    if (isRefusal(route)) held.push(route);
    else await route.continue();
  });
  await page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() =>
      window.seen.push(document.querySelector(".game-status").textContent),
    ).observe(document.querySelector(".game-status"), { childList: true, subtree: true });
  });
  const requested = page.waitForRequest((request) => request.postData()?.includes('"d4"'));
  await ann.clickCell("d4");
  await requested;
  await ann.clickCell("h5");
  await waitForStatus(ann, "Tail h5.");
  const answered = page.waitForResponse((response) =>
    response.request().postData()?.includes('["d4"]'),
  );
  for (const route of held) await route.continue();
  await answered.then((response) => response.finished());
  await ann.move(["g5"], 1, [ann, bob]);
  assert.ok(!(await page.evaluate(() => window.seen.join())).includes("d4 is empty"));
  assertNoErrors(server, [ann, bob]);
});

test("a refusal is told by the rules in the browser when offline", async () => {
  const [ann, bob] = await startGame({});
  await ann.page.route("**/api/position", (route) => route.abort());
  await statusAfter(ann, "d4 is empty.", () => ann.clickCell("d4"));
  await ann.page.route("**/rules.wasm", (route) => route.abort());
  assert.deepEqual(
    ann.errors.filter((error) => !/ERR_FAILED/.test(error)),
    [],
  );
  assertNoErrors(server, [bob]);
});

/** Plays Knight Fight until both knights stand; returns the position and its legal moves. */
const knightsPlaced = async (first, second, id) => {
  for (const mover of [first, second]) {
    const legal = await mover.legalMoves(id);
    await mover.play(id, legal.find((u) => cellsOf(u).length === 1) ?? legal[0]);
  }
  const { position, legal } = await first.get(`/api/game/${id}`);
  return { position, legal };
};

/** Returns a leap to a number with two different digits, whose mirror is on the board. */
const findWipingLeap = ({ position, legal }) => {
  const tokens = parseCells(parsePosition(position).cells);
  const all = [...tokens.values()];
  for (const u of legal) {
    const number = tokens.get(u);
    const mirror = number && [...number].reverse().join("");
    if (number && mirror !== number && all.includes(mirror)) return { u, number, mirror };
  }
  return null;
};

/** Starts games until White has a leap that wipes a number. */
const startWipingGame = async (options) => {
  for (;;) {
    const [first, second, id] = await startGame({ variant: "knightFight" }, options);
    const leap = findWipingLeap(await knightsPlaced(first, second, id));
    if (leap) {
      for (const user of [first, second]) await user.waitForPly(2);
      return { first, second, id, leap };
    }
    await first.resign(id);
  }
};

test("numbers are previewed, and reported after the move", async () => {
  const { first, second, leap } = await startWipingGame([DESKTOP, PHONE]);
  const { page } = first;
  await page.waitForSelector(`[data-cell="${leap.u}"].is-selectable`, { state: "attached" });
  await page.mouse.move(...(await first.cellCenter(leap.u)));
  const preview = `+${Number(leap.number)}, wipes ${leap.mirror}.`;
  await waitForStatus(first, preview);
  await page.waitForSelector(".board-layer-preview .board-path", { state: "attached" });
  // Nothing of the preview or of the target's mark covers the number to be scored.
  const covering = await page.evaluate((cell) => {
    const { left, right, top, bottom } = document
      .querySelector(`[data-cell="${cell}"]`)
      .getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const reach = (right - left) * 0.25;
    return [...document.querySelectorAll(".board-layer-preview *, .board-layer-marks circle")]
      .filter((shape) => shape instanceof SVGGeometryElement)
      .filter((shape) => {
        const matrix = shape.getScreenCTM().inverse();
        return [-1, 0, 1].some((across) => {
          const point = new DOMPoint(x + across * reach, y).matrixTransform(matrix);
          return (
            shape.isPointInStroke(point) ||
            (getComputedStyle(shape).fill !== "none" && shape.isPointInFill(point))
          );
        });
      })
      .map((shape) => shape.getAttribute("class"));
  }, leap.u);
  assert.deepEqual(covering, []);
  await screenshot(page, "status-preview-number");
  const report = `White took ${leap.number}; ${leap.mirror} is gone.`;
  await statusAfter(second, report, () => first.clickCell(leap.u));
  await waitForStatus(first, report);
  // The report of the opponent's move is announced once, with the move.
  const announced = await second.page.$$eval(
    ".visually-hidden[role=status], .visually-hidden[aria-live=assertive]",
    (regions) => regions.map((region) => region.textContent),
  );
  assert.equal(announced.filter((text) => text.includes(report)).length, 1, announced.join(" | "));
  // Text of the move list, with the same in words.
  const button = second.page.locator('.game-moves button[data-ply="3"]');
  assert.equal(await button.textContent(), `${leap.u} · ${leap.number} ⊖${leap.mirror}`);
  assert.match(await button.getAttribute("aria-label"), new RegExp(`wipes ${leap.mirror}`));
  assertNoErrors(server, [first, second]);
});

test("a report ends with the next tap and hides no question", async () => {
  const { first, second, id, leap } = await startWipingGame([DESKTOP, DESKTOP]);
  await second.page.click(".game-actions >> text=Resign");
  await waitForStatus(second, "Resign this game?");
  await first.play(id, leap.u);
  await second.waitForPly(3);
  assert.match(await statusText(second), /Resign this game\?/);
  await statusButton(second, "Keep playing").click();
  await waitForStatus(second, "Your move.");
  await second.page.waitForSelector(".board-svg.is-interactive rect.board-cell.is-selectable");
  const [cell] = await second.selectableCells();
  await second.page.mouse.move(...(await second.cellCenter(cell)));
  await waitForStatus(second, "+");
  assert.doesNotMatch(await statusText(second), /White took/);
  assertNoErrors(server, [first, second]);
});
