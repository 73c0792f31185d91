// Analysis board: moves of both sides, variations, engine, position setup and links.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { User, roundTrip, startServerAndBrowser } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { screenshotAll } from "./support/viewports.mjs";
import { twoCellMoves } from "./support/game.mjs";
import {
  currentMove,
  legalMoves,
  treeRows,
  analysisOpener,
  playMove,
} from "./support/analysis.mjs";

const { server, browser } = await startServerAndBrowser("--analysis-limit", "100000");
const openAnalysis = analysisOpener({ server, browser });

const boardBox = (user) =>
  user.page.$eval(".analysis .game-board", (board) =>
    JSON.stringify(board.getBoundingClientRect()),
  );

test("another move adds a variation, the link restores the tree", async () => {
  const user = await User.open(browser, server);
  const { page } = user;
  await page.click("header nav >> text=Analysis");
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await page.selectOption("[name=variant]", "caterpillarWar");
  const setup = { variant: "caterpillarWar" };
  const moves = [];
  for (let ply = 0; ply < 3; ply += 1) {
    const [u] = twoCellMoves(await legalMoves(user, { ...setup, moves }));
    await playMove(user, u);
    moves.push(u);
  }
  assert.deepEqual((await treeRows(user)).map((row) => row.split(" ")).flat(), moves);
  const box = await boardBox(user);
  await page.locator(".move-tree button").first().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await currentMove(user), moves[0]);
  // Repeating the main-line move adds no variation; a different move does.
  await playMove(user, moves[1]);
  await page.keyboard.press("ArrowLeft");
  const other = twoCellMoves(await legalMoves(user, { ...setup, moves: moves.slice(0, 1) })).find(
    (u) => u !== moves[1],
  );
  await playMove(user, other);
  const [deeper, nested] = twoCellMoves(
    await legalMoves(user, { ...setup, moves: [moves[0], other] }),
  );
  await playMove(user, deeper);
  await page.keyboard.press("ArrowLeft");
  await playMove(user, nested);
  assert.deepEqual(await treeRows(user), [
    `${moves[0]} ${moves[1]}`,
    `move-tree-variation ${other} ${deeper} ${nested}`,
    moves[2],
  ]);
  assert.equal(
    await page.locator(".move-tree .move-tree-variation .move-tree-nested button").textContent(),
    nested,
  );
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".move-tree [aria-current]").count(), 0);
  await page.keyboard.press("End");
  assert.equal(await currentMove(user), moves[2], "the end of the main line");
  await page.click(".move-tree .move-tree-variation button");
  assert.equal(await currentMove(user), other);
  assert.equal(await boardBox(user), box, "the board does not shift");
  const reopened = await openAnalysis(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(await treeRows(reopened), await treeRows(user));
  assert.equal(await currentMove(reopened), other);
  assertNoPageErrors([reopened, user]);
});

test("engine shows evaluated lines and marks the best move", async () => {
  const user = await openAnalysis("/analysis/hogga");
  const { page } = user;
  const box = await boardBox(user);
  assert.equal(
    await page.locator(".engine-lines").isVisible(),
    false,
    "the engine is off by default",
  );
  await page.click(".engine .switch");
  await page.waitForSelector(".engine-lines li");
  assert.equal(await page.locator(".engine-lines li").count(), 3);
  assert.match(
    await page.getAttribute(".engine-chances", "aria-label"),
    /^Black \d+\s?%, \d+\s?% White$/,
  );
  assert.match(await page.textContent(".engine-lines li"), /^\d+\s?%[+−]\d+[a-z]\d/);
  await page.waitForSelector(".best-move .best-move-line", { state: "attached" });
  assert.equal(await boardBox(user), box, "the board does not shift");
  await page.click(".engine-lines button");
  await page.waitForSelector(".move-tree [aria-current]");
  await page.waitForSelector(".engine-output:not(.is-outdated)");
  assert.match(
    await page.textContent(".engine-output [role=status]"),
    /^Chances of White\. Depth \d+/,
  );
  await screenshotAll(page, "analysis-engine", { fullPage: true });
  // The engine stays enabled after a reload; a won position is reported as such.
  const won =
    ".,.,.,b,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,b,.,.,./.,.,b,.,.,.,.,./.,b,b,b,b,.,.,./.,.,b,.,.,.,.,./w,.,.,.,.,b,.,./.,.,.,.,.,.,.,. 2";
  await page.goto(
    `${server.url}/analysis#${new URLSearchParams({ variant: "caterpillarWar", start: won })}`,
  );
  await page.reload();
  await page.waitForSelector(".engine-lines li");
  assert.match(await page.textContent(".engine-lines li"), /^100\s?%wins in 1 move/);
  await page.click(".engine-lines button");
  await page.waitForSelector(".game-status >> text=Black won");
  await page.waitForSelector(".engine-output >> text=The game is over here.");
  assertNoPageErrors([user]);
});

test("positions and variants are set up, invalid ones refused", async () => {
  const user = await openAnalysis("/analysis/wieNietWegIs");
  const { page } = user;
  const start = await page.inputValue("[name=position]");
  await page.fill("[name=position]", "nonsense");
  await page.click("text=Set up");
  await page.waitForSelector(
    ".analysis-setup .form-error >> text=This is not a valid position of this game",
  );
  assert.equal(await page.getAttribute("[name=position]", "aria-invalid"), "true");
  await page.fill("[name=position]", start);
  await page.click("text=Set up");
  await page.waitForFunction(
    () => document.querySelector(".analysis-setup .form-error").textContent === "",
  );
  // A replaced board removes its key listeners from the document.
  const cdp = await page.context().newCDPSession(page);
  const keyListenerCount = async () => {
    const { result } = await cdp.send("Runtime.evaluate", { expression: "document" });
    const { listeners } = await cdp.send("DOMDebugger.getEventListeners", {
      objectId: result.objectId,
    });
    return listeners.filter(({ type }) => type === "keydown").length;
  };
  const before = await keyListenerCount();
  for (const key of ["knightFight", "kopfOderKnopf", "hogga", "caterpillarWar", "wieNietWegIs"]) {
    await page.selectOption("[name=variant]", key);
    await page.waitForFunction((name) => location.hash.includes(`variant=${name}`), key);
    const cells = await user.selectableCells();
    const expectedMoves = await legalMoves(user, {
      variant: key,
      start: await page.inputValue("[name=position]"),
    });
    assert.deepEqual(
      [...new Set(expectedMoves.map((u) => cellsOf(u)[0]))].sort(),
      cells.sort(),
      key,
    );
  }
  assert.equal(await keyListenerCount(), before);
  await page.selectOption("[name=variant]", "caterpillarWar");
  await page.selectOption("[name=step]", "capture");
  await page.waitForFunction(() => location.hash.includes("options.step=capture"));
  // A link with an invalid position or move shows an error and the valid part.
  const invalid = await openAnalysis("/analysis#variant=hogga&start=x");
  await invalid.page.waitForSelector(
    ".analysis-setup .form-error >> text=This is not a valid position of this game",
  );
  const [u] = twoCellMoves(await legalMoves(invalid, { variant: "caterpillarWar" }));
  const truncated = await openAnalysis(`/analysis#variant=caterpillarWar&moves=${u}+${u}`);
  await truncated.page.waitForSelector(".toast");
  assert.deepEqual(await treeRows(truncated), [u]);
  assert.equal((await page.goto(`${server.url}/analysis/chess`)).status(), 404);
});

test("late response to an earlier position request is ignored", async () => {
  const user = await openAnalysis("/analysis/hogga");
  const { page } = user;
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await page.route("**/api/position", async (route) => {
    if (route.request().postDataJSON().variant === "kopfOderKnopf") await released;
    await route.continue();
  });
  await page.selectOption("[name=variant]", "kopfOderKnopf");
  await page.selectOption("[name=variant]", "caterpillarWar");
  await page.waitForFunction(() => document.title.includes("Caterpillar"));
  const responsePromise = page.waitForResponse("**/api/position");
  release();
  await responsePromise.then((response) => response.finished());
  await roundTrip(page);
  assert.match(await page.title(), /Caterpillar/);
  assert.equal(await page.inputValue("[name=variant]"), "caterpillarWar");
  assertNoPageErrors([user]);
});

test("position, moves and link are copied, game is downloaded", async () => {
  const user = await openAnalysis("/analysis/caterpillarWar", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = user;
  const [u] = twoCellMoves(await legalMoves(user, { variant: "caterpillarWar" }));
  await playMove(user, u);
  const copyText = async (label) => {
    await page.click(`.analysis-share >> text=${label}`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { body } = await user.request("/api/position", { variant: "caterpillarWar", moves: [u] });
  assert.equal(await copyText("Copy position"), body.position);
  assert.equal(await copyText("Copy moves"), u);
  assert.equal(await copyText("Copy link"), page.url());
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.click(".analysis-share >> text=Download"),
  ]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  assert.match(text, /\[Variant "caterpillarWar"\]/);
  assert.ok(text.endsWith(`\n\n1. ${u} *\n`), text);
});
