// Aids on the boards: taps that show a move before a second one plays it, names of chosen cells, a
// closer look at stacks, knights and buttons, and what else the boards of single variants show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { cellsOf } from "../../static/model/notation.js";
import { startServerAndBrowser, User, waitUntil } from "./support/server.mjs";
import { analysisOpener } from "./support/analysis.mjs";
import { KeyboardUser } from "./support/keyboard.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { countPlies, gameStarter, waitForStatus } from "./support/game.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser }, recordLayoutShifts);
const openAnalysis = analysisOpener({ server, browser });

const MOTION = { reducedMotion: "no-preference" };

/** Opens the analysis of a position. */
const openPosition = async (variant, start, options) => {
  const user = await openAnalysis(`/analysis#${new URLSearchParams({ variant, start })}`, options);
  await user.page.waitForSelector("rect.board-cell.is-selectable");
  return user;
};

const tap = async (user, ...cells) => {
  for (const cell of cells) await user.page.touchscreen.tap(...(await user.cellCenter(cell)));
};

/** Returns a function that sends touches to a page. */
const toucher = async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  return (type, point) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    });
};

const count = ({ page }, selector) => page.locator(`.board-svg.is-interactive ${selector}`).count();
const texts = ({ page }, selector) =>
  page.$$eval(`.board-svg.is-interactive ${selector}`, (nodes) =>
    nodes.map((node) => node.textContent),
  );
const waitForMark = ({ page }, selector, state = "attached") =>
  page.waitForSelector(`.board-svg.is-interactive ${selector}`, { state });

/** Returns the cell in whose center the marks of a selector are. */
const markedCells = ({ page }, selector) =>
  page.$$eval(`.board-svg.is-interactive ${selector}`, (nodes) =>
    nodes.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return document
        .elementsFromPoint(x + width / 2, y + height / 2)
        .find((element) => element.dataset.cell)?.dataset.cell;
    }),
  );

const setting = (key, value) => `localStorage.setItem(${JSON.stringify(key)}, "${value}")`;

const STACKS =
  "b,b,b,.,b,.,.,./.,.,.,.,.,.,.,./b,b,.,b,.,.,.,./b,.,.,.,.,.,.,./.,.,.,b,.,.,.,./.,.,.,wb,.,.,.,w/.,.,.,wb,w,w,w,w/.,.,.,.,.,.,.,. 1";

const THREE_TOGETHER =
  "b,.,.,.,r,.,.,.,.,./.,.,.,.,.,.,.,.,r,./.,r,.,.,.,b,.,.,.,./.,.,.,.,.,b,.,.,.,./.,.,.,.,b,.,.,.,.,r/r,.,.,.,.,.,.,.,.,./.,.,b,.,.,.,.,.,b,./.,.,.,.,.,.,.,.,.,./.,.,r,.,.,.,.,r,.,./.,.,.,.,.,b,.,.,.,. 1 7:7";

const LADDER =
  ".,.,.,.,.,.,.,.,.,.,.,./.,b,.,b,.,b,.,.,.,.,.,./b,.,b,.,.,.,.,.,.,.,.,./.,B,.,B,.,B,.,.,.,.,.,./b,.,b,.,b,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,w,.,.,b,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,w,.,w,.,w/.,.,.,.,.,.,W,.,W,.,W,./.,.,.,.,.,.,.,.,.,w,.,w/.,.,.,.,.,.,w,.,w,.,w,./.,.,.,.,.,.,.,.,.,.,.,. 1";

test("hogga shows a move at the first tap, the second plays it", async () => {
  const [ann, bob] = await startGame({ variant: "hogga" }, [PHONE, {}]);
  await takeLayoutShifts(ann.page);
  await tap(ann, "b10", "b9");
  await waitForStatus(ann, "Tap again to play.");
  await waitForMark(ann, ".board-layer-preview .board-path");
  assert.deepEqual([await count(ann, ".board-held"), await countPlies(ann)], [1, 0]);
  await screenshot(ann.page, "tap-twice-hogga-phone-light");
  await tap(ann, "c9");
  await ann.page.waitForFunction(() => document.querySelectorAll(".board-held").length === 1);
  assert.deepEqual(await markedCells(ann, ".board-held"), ["c9"]);
  assert.equal(await countPlies(ann), 0, "a tap elsewhere shows that move");
  await ann.page.locator(".game-status .btn", { hasText: "Clear" }).tap();
  assert.equal(await count(ann, ".board-held"), 0);
  await tap(ann, "b10", "c9");
  await waitForMark(ann, ".board-held");
  await tap(ann, "c9");
  for (const user of [ann, bob]) await user.waitForPly(1);
  assert.equal(await count(ann, ".board-held"), 0);
  assert.equal(totalShift(await takeLayoutShifts(ann.page)), 0);
  // A mouse has its preview on hover.
  await bob.clickCell("g4");
  await bob.clickCell("g5");
  for (const user of [ann, bob]) await user.waitForPly(2);
  assertNoErrors(server, [ann, bob]);
});

test("keyboard on a phone plays at the first Enter", async () => {
  const [ann, bob] = await startGame({ variant: "hogga" }, [PHONE, {}]);
  const { keyboard } = ann.page;
  // Any key, so that the focus of the board belongs to the keyboard.
  await keyboard.press("Shift");
  await ann.page.focus(".board-svg.is-interactive");
  for (const key of ["n", "Enter", "n", "Enter"]) await keyboard.press(key);
  for (const user of [ann, bob]) await user.waitForPly(1);
  assertNoErrors(server, [ann, bob]);
});

test("first tap waits at the last cell of a path only", async () => {
  const [ann, bob] = await startGame({}, [PHONE, {}]);
  await ann.page.evaluate(setting("tapTwice", "on"));
  await tap(ann, "h5", "d1");
  assert.equal(await count(ann, ".board-held"), 0);
  assert.deepEqual(await texts(ann, ".board-label-text"), ["tail", "tower"]);
  await tap(ann, "d5");
  await waitForMark(ann, ".board-held");
  assert.equal(await countPlies(ann), 0);
  await tap(ann, "d5");
  for (const user of [ann, bob]) await user.waitForPly(1);
  assertNoErrors(server, [ann, bob]);
});

test("a tap on the destination drops the first tap", async () => {
  const user = await openPosition("kopfOderKnopf", THREE_TOGETHER, PHONE);
  await tap(user, "e10", "g10");
  await waitForStatus(user, "Or also take a ringed button.");
  await tap(user, "f7");
  await waitForStatus(user, "Tap again to play.");
  await tap(user, "g10");
  await waitForMark(user, ".board-held", "detached");
  await waitForStatus(user, "Or also take a ringed button.");
  await tap(user, "f7", "f7");
  await user.page.waitForSelector(".move-tree [aria-current] >> text=xf7,e10-g10", {
    state: "attached",
  });
  assertNoErrors(server, [user]);
});

test("confirmation of moves is not asked twice", async () => {
  const [ann, bob] = await startGame({ variant: "hogga" }, [PHONE, {}]);
  await ann.page.evaluate(setting("confirmMove", "yes"));
  await tap(ann, "b10", "b9");
  await waitForStatus(ann, "b10-b9?");
  assert.equal(await count(ann, ".board-held"), 0);
  await ann.page.locator(".game-status .btn", { hasText: "Confirm" }).tap();
  for (const user of [ann, bob]) await user.waitForPly(1);
  assertNoErrors(server, [ann, bob]);
});

test("premove needs one tap as it can be canceled", async () => {
  const [ann, bob] = await startGame({ variant: "hogga" }, [{}, PHONE]);
  await tap(bob, "g4");
  await waitForMark(bob, ".board-layer-marks .board-selection");
  await tap(bob, "g5");
  await waitForStatus(bob, "Premove: g4-g5");
  assert.equal(await count(bob, ".board-held"), 0);
  await ann.move(["b10", "b9"], 2, [ann, bob]);
  assertNoErrors(server, [ann, bob]);
});

test("placement waits for a second tap and Escape forgets it", async () => {
  const [ann, bob] = await startGame({ variant: "wieNietWegIs" }, [PHONE, {}]);
  await ann.page.evaluate(setting("tapTwice", "on"));
  await tap(ann, "c3");
  await waitForStatus(ann, "Tap again to play.");
  await ann.page.keyboard.press("Escape");
  await waitForMark(ann, ".board-held", "detached");
  await tap(ann, "c3");
  await waitForMark(ann, ".board-held");
  assert.equal(await countPlies(ann), 0);
  await tap(ann, "c3");
  for (const user of [ann, bob]) await user.waitForPly(1);
  assertNoErrors(server, [ann, bob]);
});

test("settings choose where to tap twice", async () => {
  const user = await User.open(browser, server, PHONE, "/settings");
  const { page } = user;
  const group = page.locator("[role=radiogroup][aria-label='Tap twice to move']");
  const chosen = () => group.locator("[aria-checked=true]").textContent();
  assert.equal(await chosen(), "Automatic");
  await group.locator("text=Off").tap();
  await page.reload();
  assert.equal(await chosen(), "Off");
  await user.visit("/analysis/hogga", "rect.board-cell.is-selectable");
  await tap(user, "b10", "b9");
  await page.waitForSelector(".move-tree [aria-current] >> text=b10-b9", { state: "attached" });
  assertNoErrors(server, [user]);
});

test("analysis of hogga waits for the second tap", async () => {
  const user = await openAnalysis("/analysis/hogga", PHONE);
  await user.page.waitForSelector("rect.board-cell.is-selectable");
  await tap(user, "b10", "b9");
  await waitForStatus(user, "Tap again to play.");
  await tap(user, "b9");
  await user.page.waitForSelector(".move-tree [aria-current] >> text=b10-b9", {
    state: "attached",
  });
  assertNoErrors(server, [user]);
});

for (const [locale, labels] of Object.entries({
  "nl-NL": ["staart", "toren"],
  "sv-SE": ["svans", "torn"],
}))
  test(`chosen cells are named in ${locale}`, async () => {
    const user = await openAnalysis("/analysis/caterpillarWar", { locale });
    await user.page.waitForSelector("rect.board-cell.is-selectable");
    await user.clickCell("h5");
    assert.deepEqual(await texts(user, ".board-label-text"), labels.slice(0, 1));
    await user.clickCell("d1");
    assert.deepEqual(await texts(user, ".board-label-text"), labels);
    assertNoErrors(server, [user]);
  });

test("stack spreads out while a finger holds it", async () => {
  const user = await openPosition("caterpillarWar", STACKS, PHONE);
  const touch = await toucher(user);
  await touch("touchStart", await user.cellCenter("d3"));
  await waitForMark(user, ".board-inspection-panel");
  assert.deepEqual(await texts(user, ".board-inspection-text"), ["black", "white"]);
  await waitForStatus(user, "d3, from the top: black, white.");
  await screenshot(user.page, "inspect-stack-phone-light");
  await touch("touchEnd");
  await waitForMark(user, ".board-inspection-panel", "detached");
  assert.equal(await count(user, ".board-layer-marks .board-selection"), 0);
  assertNoErrors(server, [user]);
});

test("stack spreads out by mouse and by key", async () => {
  const user = await openPosition("caterpillarWar", STACKS);
  const { mouse, keyboard } = user.page;
  await mouse.move(...(await user.cellCenter("d2")));
  await mouse.down();
  await waitForMark(user, ".board-inspection-panel");
  await mouse.up();
  await waitForMark(user, ".board-inspection-panel", "detached");
  await keyboard.press("i");
  await waitForMark(user, ".board-inspection-panel");
  await waitForStatus(user, "d2, from the top: black, white.");
  await keyboard.press("i");
  await waitForMark(user, ".board-inspection-panel", "detached");
  assertNoErrors(server, [user]);
});

test("resting mouse shows what a knight attacks", async () => {
  const [ann, bob, id] = await startGame({ variant: "knightFight" }, [MOTION, PHONE]);
  const numberOf = async (cell) =>
    /: (\d\d)/.exec(await ann.page.getAttribute(`[data-cell="${cell}"]`, "aria-label"))[1];
  const mirror = [...(await numberOf("e10"))].reverse().join("");
  // A move that does not wipe the number of e10.
  const first = (await numberOf("e1")) === mirror ? "d1" : "e1";
  await ann.play(id, first);
  const answer = (await bob.legalMoves(id)).find((u) => /^e10/.test(u));
  await bob.play(id, answer);
  for (const user of [ann, bob]) await user.waitForPly(2);
  const hasNumber = async (cell) =>
    /: \d\d/.test(await ann.page.getAttribute(`[data-cell="${cell}"]`, "aria-label"));
  await ann.page.mouse.move(...(await ann.cellCenter("e10")));
  await waitForMark(ann, ".board-hatch");
  // A number that the last move wiped keeps its label until its animation ends.
  await waitUntil("the cells with a number are hatched", async () => {
    const free = [];
    for (const cell of ["c9", "d8", "f8", "g9"]) if (await hasNumber(cell)) free.push(cell);
    return isDeepStrictEqual((await markedCells(ann, ".board-hatch")).sort(), free);
  });
  await screenshot(ann.page, "inspect-knight-desktop-light");
  await ann.page.mouse.move(...(await ann.cellCenter("a5")));
  await waitForMark(ann, ".board-hatch", "detached");
  const touch = await toucher(bob);
  await touch("touchStart", await bob.cellCenter(first));
  await waitForMark(bob, ".board-hatch");
  await waitForStatus(bob, "White's knight attacks");
  await touch("touchEnd");
  await waitForMark(bob, ".board-hatch", "detached");
  assertNoErrors(server, [ann, bob]);
});

test("points of a leap float up and the lead is told", async () => {
  const [ann, bob, id] = await startGame({ variant: "knightFight" }, [MOTION, {}]);
  await ann.page.evaluate(() => {
    window.floats = [];
    new MutationObserver(() => {
      const text = document.querySelector(".board-float")?.textContent;
      if (text) window.floats.push(text);
    }).observe(document.querySelector(".board-svg.is-interactive"), {
      childList: true,
    });
  });
  const label = await ann.page.getAttribute('[data-cell="e1"]', "aria-label");
  const points = Number(/: (\d\d)/.exec(label)[1]);
  await ann.play(id, "e1");
  await ann.waitForPly(1);
  await ann.page.waitForFunction(
    (text) => window.floats.includes(text) && !document.querySelector(".board-float"),
    `+${points}`,
  );
  const counts = await ann.page.$$eval(".game-player-count-text", (nodes) =>
    nodes.map((node) => node.textContent),
  );
  assert.deepEqual(
    counts,
    points ? [`${points} point${points === 1 ? "" : "s"} · ahead by ${points}`] : [],
  );
  assertNoErrors(server, [ann, bob]);
});

test("hogga names its corner, forbidden dots and further hops", async () => {
  const [ann, bob, id] = await startGame({ variant: "hogga" });
  assert.deepEqual(await texts(ann, ".board-goal-word"), ["home"]);
  assert.equal(await count(ann, ".board-goal-area"), 1);
  assert.equal(await count(ann, ".board-forbidden"), 0);
  await ann.clickCell("b10");
  const crossed = await markedCells(ann, ".board-forbidden");
  assert.equal(crossed.length, 12);
  for (const cell of crossed)
    assert.match(
      await ann.page.getAttribute(`[data-cell="${cell}"]`, "aria-label"),
      /empty, white dot/,
    );
  const legal = (await ann.legalMoves(id)).map(cellsOf);
  assert.ok(legal.every(([, to]) => !crossed.includes(to)));
  await screenshot(ann.page, "hogga-forbidden-desktop-light");
  assertNoErrors(server, [ann, bob]);
});

test("hovered jump of hogga shows where it could go on", async () => {
  const user = await openPosition("hogga", LADDER);
  await user.clickCell("a11");
  assert.equal(await count(user, ".board-further"), 0);
  await user.page.mouse.move(...(await user.cellCenter("a7")));
  await waitForMark(user, ".board-further");
  assert.deepEqual((await markedCells(user, ".board-further-dot")).sort(), ["c7", "g7"]);
  assert.deepEqual(await texts(user, ".board-cell title"), ["a7: empty; can be chosen"]);
  await screenshot(user.page, "hogga-further-desktop-light");
  // A step ends the turn.
  await user.page.mouse.move(...(await user.cellCenter("a10")));
  await waitForMark(user, ".board-further", "detached");
  await user.page.mouse.move(...(await user.cellCenter("l13")));
  assert.deepEqual(await texts(user, ".board-cell title"), []);
  assertNoErrors(server, [user]);
});

test("strike lines lie under the buttons, whose holes grow", async () => {
  const user = await openAnalysis(
    `/analysis#${new URLSearchParams({ variant: "kopfOderKnopf", moves: "d2-a2 i4-i1 i7-i10 b5-e8" })}`,
  );
  await user.page.waitForSelector("rect.board-cell.is-selectable");
  await waitForMark(user, ".board-layer-preview .board-capture-line");
  const isUnder = await user.page.evaluate(() => {
    const [line, pieces] = [".board-layer-preview .board-capture-line", ".board-layer-pieces"].map(
      (selector) => document.querySelector(`.board-svg.is-interactive ${selector}`),
    );
    return Boolean(line.compareDocumentPosition(pieces) & Node.DOCUMENT_POSITION_FOLLOWING);
  });
  assert.ok(isUnder);
  await screenshot(user.page, "kopf-strike-desktop-light");
  const holes = () =>
    user.page.$$eval(".board-layer-pieces > g[data-chosen] use:last-child", (nodes) =>
      nodes.map((node) => getComputedStyle(node).transform),
    );
  assert.deepEqual(await holes(), []);
  const [cell] = await user.page.$$eval("rect.board-cell.is-selectable", (cells) =>
    cells.filter((one) => /red button/.test(one.ariaLabel)).map((one) => one.dataset.cell),
  );
  await user.clickCell(cell);
  assert.deepEqual(await holes(), ["matrix(1.4, 0, 0, 1.4, 0, 0)"]);
  assertNoErrors(server, [user]);
});

/** The blue pair d8–d9 reaches d2. */
const THREAT =
  ".,.,.,.,.,.,.,.,.,./r,b,.,b,.,.,.,b,.,r/.,.,.,b,.,.,.,.,b,./r,b,.,.,.,.,.,.,r,./b,.,.,.,.,.,.,.,b,./.,.,.,.,.,.,.,.,r,./.,r,.,.,.,.,.,.,b,./.,b,.,.,.,.,.,.,.,./b,.,.,r,.,.,b,r,b,r/.,r,.,.,b,.,.,.,.,. 1 0:4";

test("pairs that threaten a button are shown at it", async () => {
  const user = await openPosition("kopfOderKnopf", THREAT);
  const { mouse } = user.page;
  await mouse.move(...(await user.cellCenter("d2")));
  await waitForMark(user, ".board-inspection .board-capture-line");
  await mouse.move(...(await user.cellCenter("a1")));
  await waitForMark(user, ".board-inspection .board-capture-line", "detached");
  await mouse.move(...(await user.cellCenter("d2")));
  await mouse.down();
  await waitForStatus(user, "Blue threatens d2 with d8–d9.");
  await mouse.up();
  assertNoErrors(server, [user]);
});

test("slow tap on a button without threats chooses it", async () => {
  const user = await openPosition("kopfOderKnopf", THREAT, PHONE);
  const touch = await toucher(user);
  await touch("touchStart", await user.cellCenter("i7"));
  // The magnifier shows that the finger has rested.
  await user.page.waitForSelector(".board-magnifier");
  await touch("touchEnd");
  await waitForMark(user, ".board-layer-marks .board-selection");
  assert.deepEqual(await markedCells(user, ".board-layer-marks .board-selection"), ["i7"]);
  assertNoErrors(server, [user]);
});

test("removing jump is counted before it is made", async () => {
  const start = "#,#,w,w,#,#/#,w,.,.,r,#/.,.,.,.,.,./W,W,W,.,.,R/#,.,r,.,.,#/#,#,r,r,#,# 1 0:0 2:3";
  const user = await openPosition("wieNietWegIs", start);
  await user.clickCell("a3");
  await user.page.mouse.move(...(await user.cellCenter("d3")));
  await waitForStatus(user, "Takes 2 of yours off: 4 of 7.");
  assertNoErrors(server, [user]);
});

/** Chalk numbers 00 to 99 on the board of Knight Fight, of which White takes 11 on row 1. */
const NUMBERS = Array.from({ length: 10 }, (_, row) =>
  Array.from({ length: 10 }, (__, col) => String((10 * row + 7 * col + 20) % 100).padStart(2, "0")),
);

/** Positions with the cells of a move, and the words about it before the last click. */
const PREVIEWS = {
  caterpillarWar: {
    start:
      ".,.,.,.,.,.,.,./.,.,.,.,b,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,w,b,b,b,.,./.,.,w,.,.,.,.,./.,.,w,.,.,.,.,./.,.,.,.,.,.,.,. 1",
    cells: ["c2", "c4", "e4"],
    words: "Captures Black's d4, e4.",
  },
  knightFight: {
    start: `${NUMBERS.map((row) => row.join(",")).join("/")} 1 0:0`,
    cells: ["c1"],
    words: `+${Number(NUMBERS[9][2])}`,
  },
  hogga: { start: LADDER, cells: ["a11", "g7"], words: "hops to g7." },
  kopfOderKnopf: {
    start:
      "b,.,.,.,r,.,.,.,.,./.,.,.,.,.,.,.,.,r,./.,r,.,.,.,b,.,.,.,./.,.,.,.,.,b,.,.,.,./.,.,.,.,b,.,.,.,.,r/r,.,.,.,.,.,.,.,.,./.,.,b,.,.,.,.,.,b,./.,.,.,.,.,.,.,.,.,./.,.,r,.,.,.,.,r,.,./.,.,.,.,.,b,.,.,.,. 1 7:7",
    cells: ["f7"],
    words: "Takes Blue's f7.",
    // The first tap chooses the button, and another one takes it back.
    isTapFinal: true,
  },
  wieNietWegIs: {
    start: "#,#,w,w,#,#/#,w,.,.,r,#/.,.,.,.,.,./W,W,W,.,.,R/#,.,r,.,.,#/#,#,r,r,#,# 1 0:0 2:3",
    cells: ["a3", "d3"],
    words: "Takes 2 of yours off: 4 of 7.",
  },
};

/** Variants whose cells are large enough for a finger on a phone. */
const LARGE_CELLS = ["caterpillarWar", "wieNietWegIs"];

for (const [variant, { start, cells, words, isTapFinal }] of Object.entries(PREVIEWS))
  test(`${variant}: pointer, focus and first tap preview a move`, async () => {
    const last = cells.at(-1);
    const before = cells.slice(0, -1);
    const assertPreview = async (user) => {
      await waitForStatus(user, words);
      await user.page.waitForFunction(
        () =>
          document.querySelector(".board-svg.is-interactive .board-layer-preview").children.length,
      );
    };
    const mouse = await openPosition(variant, start);
    for (const cell of before) await mouse.clickCell(cell);
    await mouse.page.mouse.move(...(await mouse.cellCenter(last)));
    await assertPreview(mouse);
    const keys = await openPosition(variant, start);
    const keyboard = new KeyboardUser(keys);
    await keyboard.enterMove(...before);
    await keyboard.moveCursorTo(last);
    await assertPreview(keys);
    await keyboard.press("Escape");
    const phone = await openPosition(variant, start, PHONE);
    // Large cells need the setting.
    if (LARGE_CELLS.includes(variant)) await phone.page.evaluate(setting("tapTwice", "on"));
    await tap(phone, ...cells);
    await assertPreview(phone);
    if (!isTapFinal) assert.equal(await count(phone, ".board-held"), 1);
    assertNoErrors(server, [mouse, keys, phone]);
  });

test("first game on a phone points where to tap, once", async () => {
  const [ann, bob, id] = await startGame({}, [{ ...PHONE, ...MOTION }, {}]);
  await waitForMark(ann, ".board-pointer");
  assert.equal(await count(bob, ".board-pointer"), 0, "not with a mouse");
  const iterations = await ann.page.$eval(".board-pointer", (node) =>
    node.getAnimations().map(({ effect }) => effect.getTiming().iterations),
  );
  assert.deepEqual(iterations, [2]);
  await screenshot(ann.page, "first-game-phone-light");
  const pointed = async () => (await markedCells(ann, ".board-pointer-ring"))[0];
  const piece = await pointed();
  const legal = await ann.legalMoves(id);
  assert.ok(legal.some((u) => cellsOf(u)[0] === piece));
  await tap(ann, piece);
  await ann.page.waitForFunction((before) => {
    const ring = document.querySelector(".board-pointer-ring")?.getBoundingClientRect();
    const cell = document.querySelector(`[data-cell="${before}"]`).getBoundingClientRect();
    return ring && Math.hypot(ring.x - cell.x, ring.y - cell.y) > cell.width / 2;
  }, piece);
  const target = await pointed();
  assert.ok(legal.some((u) => cellsOf(u)[0] === piece && cellsOf(u)[1] === target));
  await ann.play(id);
  await bob.waitForPly(1);
  await bob.play(id);
  await ann.waitForPly(2);
  await waitForMark(ann, ".board-pointer");
  await ann.play(id);
  await bob.waitForPly(3);
  await bob.play(id);
  await ann.waitForPly(4);
  await ann.page.waitForSelector("rect.board-cell.is-selectable");
  assert.equal(await count(ann, ".board-pointer"), 0);
  await ann.page.reload();
  await ann.page.waitForSelector("rect.board-cell.is-selectable");
  assert.equal(await count(ann, ".board-pointer"), 0);
  assertNoErrors(server, [ann, bob]);
});

test("pointing dot stands still with reduced motion", async () => {
  const [ann, bob] = await startGame({}, [PHONE, {}]);
  await waitForMark(ann, ".board-pointer");
  assert.equal(await ann.page.$eval(".board-pointer", (node) => node.getAnimations().length), 0);
  assertNoErrors(server, [ann, bob]);
});
