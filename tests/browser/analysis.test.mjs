// Analysis board: moves of both sides, variations, engine, position setup and links.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { Person, house } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { shots } from "./support/viewports.mjs";
import { plain } from "./support/game.mjs";
import { current, legal, list, openIn, play } from "./support/analysis.mjs";

const { server, browser } = await house("--analysis-limit", "100000");
const open = openIn({ server, browser });

const boxOf = (person) =>
  person.page.$eval(".analysis .game-board", (board) =>
    JSON.stringify(board.getBoundingClientRect()),
  );

test("another move adds a variation, and the link restores the move tree", async () => {
  const person = await Person.open(browser, server);
  const { page } = person;
  await page.click("header nav >> text=Analysis");
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await page.selectOption("[name=variant]", "caterpillarWar");
  const setup = { variant: "caterpillarWar" };
  const moves = [];
  for (let ply = 0; ply < 3; ply += 1) {
    const [u] = plain(await legal(person, { ...setup, moves }));
    await play(person, u);
    moves.push(u);
  }
  assert.deepEqual((await list(person)).map((row) => row.split(" ")).flat(), moves);
  const place = await boxOf(person);
  await page.locator(".move-tree button").first().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await current(person), moves[0]);
  // Repeating the main-line move adds no variation; a different move does.
  await play(person, moves[1]);
  await page.keyboard.press("ArrowLeft");
  const other = plain(await legal(person, { ...setup, moves: moves.slice(0, 1) })).find(
    (u) => u !== moves[1],
  );
  await play(person, other);
  const [deeper, nested] = plain(await legal(person, { ...setup, moves: [moves[0], other] }));
  await play(person, deeper);
  await page.keyboard.press("ArrowLeft");
  await play(person, nested);
  assert.deepEqual(await list(person), [
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
  assert.equal(await current(person), moves[2], "the end of the main line");
  await page.click(".move-tree .move-tree-variation button");
  assert.equal(await current(person), other);
  assert.equal(await boxOf(person), place, "the board does not shift");
  const again = await open(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(await list(again), await list(person));
  assert.equal(await current(again), other);
  pagesWereQuiet([again, person]);
});

test("engine shows its best lines with evaluations and marks the best move", async () => {
  const person = await open("/analysis/hogga");
  const { page } = person;
  const place = await boxOf(person);
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
  assert.equal(await boxOf(person), place, "the board does not shift");
  await page.click(".engine-lines button");
  await page.waitForSelector(".move-tree [aria-current]");
  await page.waitForSelector(".engine-output:not(.is-outdated)");
  assert.match(await page.textContent(".engine-output [role=status]"), /^For White\. Depth \d+/);
  await shots(page, "analysis-engine", { fullPage: true });
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
  pagesWereQuiet([person]);
});

test("positions and variants are set up; invalid ones show an error", async () => {
  const person = await open("/analysis/wieNietWegIs");
  const { page } = person;
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
  const ears = async () => {
    const { result } = await cdp.send("Runtime.evaluate", { expression: "document" });
    const { listeners } = await cdp.send("DOMDebugger.getEventListeners", {
      objectId: result.objectId,
    });
    return listeners.filter(({ type }) => type === "keydown").length;
  };
  const before = await ears();
  for (const key of ["knightFight", "kopfOderKnopf", "hogga", "caterpillarWar", "wieNietWegIs"]) {
    await page.selectOption("[name=variant]", key);
    await page.waitForFunction((name) => location.hash.includes(`variant=${name}`), key);
    const cells = await person.offered();
    const known = await legal(person, {
      variant: key,
      start: await page.inputValue("[name=position]"),
    });
    assert.deepEqual([...new Set(known.map((u) => cellsOf(u)[0]))].sort(), cells.sort(), key);
  }
  assert.equal(await ears(), before);
  await page.selectOption("[name=variant]", "caterpillarWar");
  await page.selectOption("[name=step]", "capture");
  await page.waitForFunction(() => location.hash.includes("options.step=capture"));
  // A link with an invalid position or move shows an error and the valid part.
  const bad = await open("/analysis#variant=hogga&start=x");
  await bad.page.waitForSelector(
    ".analysis-setup .form-error >> text=This is not a valid position of this game",
  );
  const [u] = plain(await legal(bad, { variant: "caterpillarWar" }));
  const cut = await open(`/analysis#variant=caterpillarWar&moves=${u}+${u}`);
  await cut.page.waitForSelector(".toast");
  assert.deepEqual(await list(cut), [u]);
  assert.equal((await page.goto(`${server.url}/analysis/chess`)).status(), 404);
});

test("late response to an earlier position request is ignored", async () => {
  const person = await open("/analysis/hogga");
  const { page } = person;
  let late;
  const held = new Promise((done) => {
    late = done;
  });
  await page.route("**/api/position", async (route) => {
    if (route.request().postDataJSON().variant === "kopfOderKnopf") await held;
    await route.continue();
  });
  await page.selectOption("[name=variant]", "kopfOderKnopf");
  await page.selectOption("[name=variant]", "caterpillarWar");
  await page.waitForFunction(() => document.title.includes("Caterpillar"));
  const answer = page.waitForResponse("**/api/position");
  late();
  await answer.then((response) => response.finished());
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  assert.match(await page.title(), /Caterpillar/);
  assert.equal(await page.inputValue("[name=variant]"), "caterpillarWar");
  pagesWereQuiet([person]);
});

test("position, moves and link are copied, and the game is downloaded", async () => {
  const person = await open("/analysis/caterpillarWar", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = person;
  const [u] = plain(await legal(person, { variant: "caterpillarWar" }));
  await play(person, u);
  const clip = async (label) => {
    await page.click(`.analysis-share >> text=${label}`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { body } = await person.ask("/api/position", { variant: "caterpillarWar", moves: [u] });
  assert.equal(await clip("Copy position"), body.position);
  assert.equal(await clip("Copy moves"), u);
  assert.equal(await clip("Copy link"), page.url());
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
