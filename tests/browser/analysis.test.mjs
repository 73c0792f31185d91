// The analysis board: both sides by one hand, branches, the engine, links, and games that are over.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";

let server;
let browser;
before(async () => {
  server = await Server.start("--analyses", "100000");
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.stop();
});

const SHOTS = `${import.meta.dirname}/shots`;
const LOOKS = [["desktop", 1280, 800], ["phone", 390, 844]];

const open = async (path, options) => {
  const person = await Person.open(browser, server, options, path);
  await person.page.waitForSelector(".bd.live rect.hit");
  return person;
};

const legal = async (person, question) => (await person.ask("/api/position", question)).body.legal;

/** Moves that two clicks make. */
const plain = (moves) => moves.filter((u) => /^[a-z]\d+-[a-z]\d+$/.test(u));

/** Clicks a move together, and waits until it is the one that is looked at. */
const play = async (person, u) => {
  for (const cell of u.match(/[a-z]\d+/g)) await person.cell(cell);
  await person.page.waitForSelector(`.tree [aria-current] >> text="${u}"`);
};

const list = (person) => person.page.$$eval(".tree li", (rows) => rows.map((row) => [row.className, ...[...row.querySelectorAll("button")].map((button) => button.textContent)].join(" ").trim()));
const current = (person) => person.page.$eval(".tree [aria-current]", (button) => button.textContent);
const boxOf = (person) => person.page.$eval(".analysis .board", (board) => JSON.stringify(board.getBoundingClientRect()));

/** Pictures of a page at both sizes, light and dark. */
const shots = async (person, name) => {
  const { page } = person;
  for (const [look, width, height] of LOOKS) {
    for (const scheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `${SHOTS}/analysis-${name}-${look}-${scheme}.png`, fullPage: true });
    }
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.ok(wide <= seen, `${name} at ${width}: ${wide} wide`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};

test("both sides are played, another move makes a branch, and a link brings all of it back", async () => {
  const person = await Person.open(browser, server);
  const { page } = person;
  await page.click("header nav >> text=Analysis");
  await page.waitForSelector(".bd.live rect.hit");
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
  await page.locator(".tree button").first().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await current(person), moves[0]);
  // The move that was played is no branch; another one is.
  await play(person, moves[1]);
  await page.keyboard.press("ArrowLeft");
  const other = plain(await legal(person, { ...setup, moves: moves.slice(0, 1) })).find((u) => u !== moves[1]);
  await play(person, other);
  const [deeper, nested] = plain(await legal(person, { ...setup, moves: [moves[0], other] }));
  await play(person, deeper);
  await page.keyboard.press("ArrowLeft");
  await play(person, nested);
  assert.deepEqual(await list(person), [`${moves[0]} ${moves[1]}`, `branch ${other} ${deeper} ${nested}`, moves[2]]);
  assert.equal(await page.locator(".tree .branch .aside button").textContent(), nested);
  await page.keyboard.press("Home");
  assert.equal(await page.locator(".tree [aria-current]").count(), 0);
  await page.keyboard.press("End");
  assert.equal(await current(person), moves[2], "the end of the main line");
  await page.click(".tree .branch button");
  assert.equal(await current(person), other);
  assert.equal(await boxOf(person), place, "the board stays where it is");
  const again = await open(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(await list(again), await list(person));
  assert.equal(await current(again), other);
  assert.deepEqual(again.errors, []);
  assert.deepEqual(person.errors, []);
});

test("the engine shows its best lines with their worth, and marks the best move", async () => {
  const person = await open("/analysis/hogga");
  const { page } = person;
  const place = await boxOf(person);
  assert.equal(await page.locator(".lines").isVisible(), false, "off at first");
  await page.click(".engine .switch");
  await page.waitForSelector(".lines li");
  assert.equal(await page.locator(".lines li").count(), 3);
  assert.match(await page.getAttribute(".chance", "aria-label"), /^Black \d+\s?%, \d+\s?% White$/);
  assert.match(await page.textContent(".lines li"), /^\d+\s?%[+−]\d+[a-z]\d/);
  await page.waitForSelector(".best .best-way", { state: "attached" });
  assert.equal(await boxOf(person), place, "the board stays where it is");
  await page.click(".lines button");
  await page.waitForSelector(".tree [aria-current]");
  await page.waitForSelector(".thought:not(.old)");
  assert.match(await page.textContent(".thought [role=status]"), /^For White\. Depth \d+/);
  await shots(person, "engine");
  // Who comes back finds it switched on; a position that is won says so.
  const won = ".,.,.,b,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,b,.,.,./.,.,b,.,.,.,.,./.,b,b,b,b,.,.,./.,.,b,.,.,.,.,./w,.,.,.,.,b,.,./.,.,.,.,.,.,.,. 2";
  await page.goto(`${server.url}/analysis#${new URLSearchParams({ variant: "caterpillarWar", start: won })}`);
  await page.reload();
  await page.waitForSelector(".lines li");
  assert.match(await page.textContent(".lines li"), /^100\s?%wins in 1 move/);
  await page.click(".lines button");
  await page.waitForSelector(".hint >> text=Black won");
  await page.waitForSelector(".thought >> text=The game is over here.");
  assert.deepEqual(person.errors, []);
});

test("any position text and any variant is set up, and what is none is refused in a sentence", async () => {
  const person = await open("/analysis/wieNietWegIs");
  const { page } = person;
  const start = await page.inputValue("[name=position]");
  await page.fill("[name=position]", "nonsense");
  await page.click("text=Set up");
  await page.waitForSelector(".setup .wrong >> text=This is no position of this game");
  assert.equal(await page.getAttribute("[name=position]", "aria-invalid"), "true");
  await page.fill("[name=position]", start);
  await page.click("text=Set up");
  await page.waitForFunction(() => document.querySelector(".setup .wrong").textContent === "");
  // A board that goes takes its ears for the keys of the page with it.
  const cdp = await page.context().newCDPSession(page);
  const ears = async () => {
    const { result } = await cdp.send("Runtime.evaluate", { expression: "document" });
    const { listeners } = await cdp.send("DOMDebugger.getEventListeners", { objectId: result.objectId });
    return listeners.filter(({ type }) => type === "keydown").length;
  };
  const before = await ears();
  for (const key of ["knightFight", "kopfOderKnopf", "hogga", "caterpillarWar", "wieNietWegIs"]) {
    await page.selectOption("[name=variant]", key);
    await page.waitForFunction((name) => location.hash.includes(`variant=${name}`), key);
    const cells = await person.offered();
    const known = await legal(person, { variant: key, start: await page.inputValue("[name=position]") });
    assert.deepEqual([...new Set(known.map((u) => u.match(/[a-z]\d+/)[0]))].sort(), cells.sort(), key);
  }
  assert.equal(await ears(), before);
  await page.selectOption("[name=variant]", "caterpillarWar");
  await page.selectOption("[name=step]", "capture");
  await page.waitForFunction(() => location.hash.includes("options.step=capture"));
  // A link with what is no position, or no move, says so and shows what it can.
  const bad = await open("/analysis#variant=hogga&start=x");
  await bad.page.waitForSelector(".setup .wrong >> text=This is no position of this game");
  const [u] = plain(await legal(bad, { variant: "caterpillarWar" }));
  const cut = await open(`/analysis#variant=caterpillarWar&moves=${u}+${u}`);
  await cut.page.waitForSelector(".toast");
  assert.deepEqual(await list(cut), [u]);
  assert.equal((await page.goto(`${server.url}/analysis/chess`)).status(), 404);
});

test("position, moves and link are copied, and all is kept as a file", async () => {
  const person = await open("/analysis/caterpillarWar", { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = person;
  const [u] = plain(await legal(person, { variant: "caterpillarWar" }));
  await play(person, u);
  const clip = async (label) => {
    await page.click(`.share >> text=${label}`);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const { body } = await person.ask("/api/position", { variant: "caterpillarWar", moves: [u] });
  assert.equal(await clip("Copy position"), body.position);
  assert.equal(await clip("Copy moves"), u);
  assert.equal(await clip("Copy link"), page.url());
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(".share >> text=Download")]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  assert.match(text, /\[Variant "caterpillarWar"\]/);
  assert.ok(text.endsWith(`\n\n1. ${u} *\n`), text);
});

/** A game in which the first side plays badly; its id and moves. */
const badGame = async (one, two, plies) => {
  const made = await one.ask("/api/challenge", { variant: "caterpillarWar", color: "first", rated: false });
  const { id } = made.body;
  await two.ask(`/api/challenge/${id}/accept`, {});
  const moves = [];
  for (let ply = 0; ply < plies; ply += 1) {
    const question = { variant: "caterpillarWar", moves };
    const known = await legal(one, question);
    if (!known.length) break;
    const best = async () => (await one.ask("/api/analysis", { ...question, nodes: 2000, lines: 1 })).body.lines[0].moves[0];
    const u = ply % 2 ? await best() : known.at(-1);
    const { status } = await (ply % 2 ? two : one).ask(`/api/board/game/${id}/move/${encodeURIComponent(u)}`, {});
    assert.equal(status, 200, u);
    moves.push(u);
  }
  return { id, moves };
};

test("a game that is over is reviewed: chances, turning points, and the way there by a click", async () => {
  const [one, two] = await Promise.all(["Anna", "Bert"].map((name) => Person.open(browser, server, { name }, null)));
  const { id, moves } = await badGame(one, two, 12);
  const { page } = one;
  await page.goto(`${server.url}/${id}/analysis`);
  await page.waitForSelector(".message >> text=not over");
  await two.ask(`/api/board/game/${id}/resign`, {});
  await page.goto(`${server.url}/${id}`);
  await page.click(".result >> text=Analysis");
  await page.waitForSelector(".tree button");
  assert.equal(await page.locator(".tree button").count(), moves.length);
  // Who only looks may be taken away to a game; who has tried something may not.
  const atWork = () => page.evaluate(async () => (await import(document.querySelector("script[src$='analysis.js']").src.replace(/analysis\.js$/, "at-work.js"))).atWork());
  assert.equal(await atWork(), false);
  assert.equal(await page.locator(".review").isVisible(), true);
  await page.click("text=Review this game");
  await page.waitForSelector(".turning-points button");
  const told = (await (await fetch(`${server.url}/api/game/${id}/review`)).text()).split("\n").filter(Boolean).map((text) => JSON.parse(text));
  const expected = told.slice(1).flatMap(({ chance }, at) => {
    const lost = (at % 2 ? -1 : 1) * (told[at].chance - chance);
    return lost >= 0.15 && told[at].best !== told[at].played ? [`${at + 1} ${lost < 0.3 ? "?" : "??"}`] : [];
  });
  assert.ok(expected.length > 0, "a game without a turning point shows nothing");
  const signs = await page.$$eval(".tree .sign", (all) => all.map((sign) => `${sign.closest("button").dataset.ply} ${sign.firstChild.textContent}`));
  assert.deepEqual(signs, expected);
  assert.deepEqual(await page.$$eval(".chance-plot .turning text", (all) => all.map((sign) => sign.textContent)), expected.map((sign) => sign.split(" ")[1]));
  assert.match(await page.getAttribute(".chance-plot", "aria-label"), new RegExp(`turning points: ${expected.length}`));
  const box = await page.locator(".chance-plot").boundingBox();
  await page.mouse.click(box.x + box.width - 15, box.y + box.height / 2);
  await page.waitForSelector(`.tree [data-ply="${moves.length}"][aria-current]`);
  await page.click(".turning-points button");
  await page.waitForSelector(`.tree [data-ply="${expected[0].split(" ")[0]}"][aria-current]`);
  // Another move than was played is a branch beside the game, and the link keeps both.
  const ply = Number(expected[0].split(" ")[0]);
  await page.keyboard.press("ArrowLeft");
  const other = plain(await legal(one, { variant: "caterpillarWar", moves: moves.slice(0, ply - 1) })).find((u) => u !== moves[ply - 1]);
  await play(one, other);
  assert.equal(await page.locator(".tree .branch").count(), 1);
  assert.equal(await atWork(), true);
  const again = await open(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(await list(again), (await list(one)).map((row) => row.replace(/\?+ a (big )?mistake/g, "")));
  await page.click(".engine .switch");
  await page.waitForSelector(".lines li");
  await shots(one, "review");
  assert.equal(await page.getAttribute(".share a", "href"), `/game/export/${id}?as=text`);
  assert.deepEqual(one.errors, []);
  assert.equal(server.faults, "");
});
