// The computer as an opponent: found at once, played to the end, asked for a hint.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";

let server;
let browser;
before(async () => {
  // Whoever plays it to the end sees how a game ends.
  server = await Server.start("--bot-resigns", "false");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };
const VARIANTS = ["caterpillarWar", "hogga", "knightFight", "kopfOderKnopf", "wieNietWegIs"];

const cellsOf = (u) => u.match(/[a-z]\d+/g) ?? [];

const wasQuiet = (...persons) => {
  for (const { errors } of persons) assert.deepEqual(errors, []);
  assert.equal(server.faults, "");
};

/** Pictures on a desk and on a phone, light and dark. */
const shots = async ({ page }, name) => {
  for (const [place, viewport] of [["desk", DESK], ["phone", PHONE]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${import.meta.dirname}/shots/computer-${name}-${place}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
};

/** Somebody at a game with the computer that was begun by hand. */
const game = async (terms, options = {}, at = server) => {
  const person = await Person.open(browser, at, options, null);
  if (!options.name) await person.ask("/api/guest", {});
  const { status, body } = await person.ask("/api/challenge/ai", { level: 1, variant: "caterpillarWar", color: "first", ...terms });
  assert.equal(status, 201, JSON.stringify(body));
  await person.page.goto(`${at.url}/${body.id}`);
  await person.page.waitForSelector(".bd.live rect.hit");
  return [person, body.id];
};

/** Waits until it is the player's turn; says whether the game goes on. */
const mine = async ({ page }) => {
  await page.waitForFunction(() => document.querySelector(".result") || document.querySelector("rect.hit.own") || document.querySelector(".hint .btn.main"));
  return (await page.$(".result")) === null;
};

/** Makes a move by the clicks that its notation names, and the button if one is left to press. */
const make = async (person, u) => {
  for (const cell of cellsOf(u)) await person.cell(cell);
  const left = await person.page.evaluate((move) => {
    const main = document.querySelector(".hint .btn.main");
    return Boolean(main) && (!/[a-z]\d/.test(move) || main.textContent.includes(move));
  }, u);
  if (left) await person.page.click(".hint .btn.main:not(.settling)");
};

const hint = (person, text) => person.page.waitForSelector(`.hint >> text=${text}`);
const hintButton = (person, text) => person.page.locator(`.hint .btn:text-is("${text}")`);
const legalOf = async (person, id) => (await person.ask(`/api/game/${id}`)).body.legal;

test("a guest is at a game with the computer after two clicks, and the choice is remembered", async () => {
  const ann = await Person.open(browser, server);
  const { page } = ann;
  await page.click(".hero >> text=Play the computer");
  const level = (n) => page.locator(`dialog .levels [data-value="${n}"]`);
  await level(8).waitFor();
  assert.equal(await page.locator("dialog .levels [role=radio]").count(), 8);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Play", "Enter plays at once");
  await page.click("dialog >> text='Play'");
  await page.waitForURL(/\/\w{8}$/);
  await page.waitForSelector(".bd.live rect.hit");
  assert.equal(await page.textContent(".bar.opp .bot"), "BOT 2");
  assert.equal(await page.getAttribute(".bar.opp .bot", "title"), "The computer, level 2");
  assert.equal(await page.locator(".bar.own .bot").count(), 0);
  const first = (await ann.ask(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual([first.rated, first.clock ?? null, first.variant.key], [false, null, VARIANTS[0]]);

  // Who comes back finds the game in the list, and the empty lobby offers another.
  await page.goto(server.url);
  assert.match(await page.textContent(".mine li"), /Sprong-2BOT/);
  await page.click(".empty >> text=Play the computer");
  await page.click("dialog .pick [data-value=hogga]");
  await page.selectOption("dialog select[name=points]", "true");
  await page.click("dialog .seg [data-value=second]");
  for (const [n, word] of [[1, "a first game"], [8, "a hard nut"], [5, "a fair match"]]) {
    await level(n).click();
    assert.equal(await page.textContent("dialog fieldset:has(.levels) legend"), `Level ${n}: ${word}`);
    assert.equal(await level(n).getAttribute("aria-label"), `Level ${n}: ${word}`);
  }
  await page.keyboard.press("ArrowLeft");
  assert.equal(await level(4).getAttribute("aria-checked"), "true");
  await page.click("dialog .seg [data-value='10+5']");
  await shots(ann, "choice");
  await page.setViewportSize(PHONE);
  for (let n = 1; n <= 8; n += 1) {
    const { width, height } = await level(n).boundingBox();
    assert.ok(width >= 44 && height >= 44, `${width} × ${height} for a finger`);
  }
  await page.setViewportSize(DESK);
  await page.click("dialog >> text='Play'");
  await page.waitForURL((url) => /\/\w{8}$/.test(url) && !url.href.endsWith(first.id));
  await page.waitForSelector(".bd.live rect.hit");
  const second = (await ann.ask(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual([second.variant.key, second.options.points, second.you, second.first.level, second.clock.initial], ["hogga", true, "second", 4, 600000]);

  await page.goto(server.url);
  await page.click(".hero >> text=Play the computer");
  await page.waitForSelector("dialog .pick [data-value=hogga][aria-checked=true]");
  assert.equal(await page.inputValue("dialog select[name=points]"), "true");
  for (const chosen of ["[data-value=second]", "[data-value='10+5']"]) assert.equal(await page.getAttribute(`dialog .seg ${chosen}`, "aria-checked"), "true");
  assert.equal(await level(4).getAttribute("aria-checked"), "true");
  await page.keyboard.press("Escape");
  await shots(ann, "lobby");
  wasQuiet(ann);
});

/** Somebody who plays well enough to come to an end soon: the engine on the command line. */
class Adviser {
  constructor(variant) {
    this.process = spawn(process.env.SPRONG_BINARY, ["engine"], { stdio: ["pipe", "pipe", "inherit"] });
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.process.stdin.write(`setoption name variant value ${variant}\n`);
  }

  /** A good move in that game. */
  async move({ initialFen, state }) {
    this.process.stdin.write(`position text ${initialFen} moves ${state.moves}\ngo nodes 2000\n`);
    for (;;) {
      const { value: line, done } = await this.answers.next();
      assert.ok(!done && !line.includes("error"), line ?? "the engine has gone");
      if (line.startsWith("bestmove")) return line.split(" ")[1];
    }
  }
}

/** Plays well against level 2 until the rules end the game; answers how many plies that took. */
const whole = async (variant) => {
  const [person, id] = await game({ level: 2, variant });
  const adviser = new Adviser(variant);
  try {
    while (await mine(person)) {
      const { body } = await person.ask(`/api/game/${id}`);
      const plies = body.state.moves ? body.state.moves.split(" ").length : 0;
      await make(person, await adviser.move(body));
      await person.page.waitForFunction((count) => document.querySelectorAll(".moves button").length > count || document.querySelector(".result"), plies);
    }
  } finally {
    adviser.process.kill();
  }
  const { end, state } = (await person.ask(`/api/game/${id}`)).body;
  const plies = state.moves.split(" ").length;
  // Nobody resigned or went away: it is the goal of the game, or a draw by its rules.
  assert.ok(end.status === "variantEnd" || ["repetition", "noProgress"].includes(end.reason), `${variant} after ${plies} plies: ${JSON.stringify(end)}`);
  assert.equal(await person.page.textContent(".result h2"), end.winner === "first" ? "You won" : end.winner ? "You lost" : "Drawn");
  assert.equal(await person.page.locator(".bar.opp .thinking:not(.off)").count(), 0, "nobody thinks about a game that is over");
  wasQuiet(person);
  return [variant, plies];
};

test("a whole game against level 2 in each variant, by clicks to its natural end", async (t) => {
  const games = await Promise.all(VARIANTS.map(whole));
  for (const [variant, plies] of games) t.diagnostic(`${variant}: ${plies} plies`);
});

test("while the computer thinks its bar says so; nothing moves, nothing is read out, and there is nobody to talk to", async () => {
  const [bea, id] = await game({ variant: "caterpillarWar", level: 8, "clock.limit": 600, "clock.increment": 5 });
  const { page } = bea;
  const places = () => page.$$eval(".bar, .bar .name, .bar .line, .hint, .board, .acts", (parts) => parts.map((part) => Object.values(part.getBoundingClientRect().toJSON())));
  assert.equal(await page.locator(".thinking.off").count(), 1, "it is the other's turn");
  assert.equal(await page.locator(".chat, .chat-key").count(), 0);
  assert.equal(await page.locator(".bar .more").count(), 0, "no time is given to the computer");
  const still = await places();
  await make(bea, (await legalOf(bea, id))[0]);
  await page.waitForSelector(".bar.opp .thinking:not(.off)");
  await hint(bea, "Sprong-8 is thinking");
  assert.equal(await page.textContent(".unseen[role=status]"), "");
  assert.deepEqual(await places(), still);
  assert.ok(await page.$eval(".bar.opp .name > span", (name) => name.scrollWidth <= name.clientWidth), "the name is whole beside the clock");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.notEqual(await page.$eval(".bar.opp .thinking i", (dot) => getComputedStyle(dot).animationName), "none");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await page.$eval(".bar.opp .thinking i", (dot) => getComputedStyle(dot).animationName), "none");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await shots(bea, "thinking");
  await bea.sees(2);
  await page.waitForSelector(".bar.opp .thinking.off", { state: "attached" });
  assert.match(await page.textContent(".unseen[role=status]"), /^Your move/);
  wasQuiet(bea);
});

test("a hint is a mark on the board and a sentence, until the move is made", async () => {
  const [cas, id] = await game({ variant: "hogga", level: 2 });
  const { page } = cas;
  const answered = page.waitForResponse(/\/hint$/);
  const button = await hintButton(cas, "Hint").boundingBox();
  assert.ok(button.height >= 44 && button.width >= 44);
  await hintButton(cas, "Hint").click();
  const { u } = await (await answered).json();
  await hint(cas, `Hint: ${u}.`);
  await page.waitForSelector(".marks .hint-mark", { state: "attached" });
  assert.match(await page.textContent(".hint p"), /(Even position|better|worse|A win in|at once|A loss in)/);
  assert.equal(await page.locator(".marks .hint-mark").count(), cellsOf(u).length);
  for (const cell of cellsOf(u)) assert.match(await page.getAttribute(`[data-cell="${cell}"]`, "aria-label"), /part of the hint/);
  assert.equal(await hintButton(cas, "Hint").count(), 0, "it has been said");
  await shots(cas, "hint");
  await page.setViewportSize(PHONE);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.setViewportSize(DESK);
  // What is chosen is shown over it, and it comes back when that is cleared.
  const [from, ...on] = cellsOf(u);
  await cas.cell(from);
  await hintButton(cas, "Clear").click();
  await hint(cas, `Hint: ${u}.`);
  for (const cell of [from, ...on]) await cas.cell(cell);
  await page.waitForFunction(() => !document.querySelector(".hint-mark"));
  assert.doesNotMatch(await page.textContent(".hint"), /Hint/);
  await mine(cas);
  await hintButton(cas, "Hint").waitFor();
  await shots(cas, "turn");
  assert.equal(await page.locator(".hint-mark").count(), 0, "the next turn has a hint of its own");
  wasQuiet(cas);

  // Too many of them are refused in words, and the button is there again.
  const { request } = page.context();
  const once = (timeout) => request.post(`${server.url}/api/game/${id}/hint`, { timeout }).then((answer) => answer.status(), () => 0);
  assert.ok((await Promise.all(Array.from({ length: 60 }, () => once(5_000)))).includes(429));
  // Those that have become free meanwhile are used as well, and the next one at once: two seconds are
  // left until another.
  while ((await once(300)) !== 429);
  while ((await once(300)) === 429);
  cas.errors.length = 0;
  await hintButton(cas, "Hint").click();
  await hint(cas, "Too many requests");
  await hint(cas, "Your move");
  await hintButton(cas, "Hint").waitFor();
});

test("a finished game is played again at once by the ordinary button", async () => {
  const [dan, id] = await game({});
  const { page } = dan;
  await make(dan, (await legalOf(dan, id))[0]);
  await dan.sees(2);
  await page.click(".acts >> text=Resign");
  await page.click(".hint .btn >> text=Resign");
  await page.waitForSelector(".result");
  await page.click(".rematch .btn:not(.settling) >> text=Rematch");
  await page.waitForURL((url) => /\/\w{8}$/.test(url) && !url.href.endsWith(id));
  await page.waitForSelector(".bd.live rect.hit");
  const again = (await dan.ask(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual([again.you, again.first.level, again.rated], ["second", 1, false]);
  // It opens the game that it begins.
  assert.ok(await mine(dan));
  assert.equal(again.id, page.url().slice(-8));
  await page.goto(`${server.url}/@/Sprong-1`);
  assert.equal(await page.textContent("h1 .bot"), "BOT 1");
  await page.waitForSelector(".game-row");
  wasQuiet(dan);
});

test("there is no hint where ratings are at stake", async () => {
  const strict = await Server.start("--bots-rated");
  try {
    const [eva, id] = await game({ rated: true, "clock.limit": 300, "clock.increment": 3 }, { name: "Eva" }, strict);
    await hint(eva, "Your move");
    assert.equal(await hintButton(eva, "Hint").count(), 0);
    assert.match(await eva.page.textContent(".bar.opp .line"), /BOT 1.*\d{3,4}/);
    const refused = await eva.ask(`/api/game/${id}/hint`, {});
    assert.deepEqual([refused.status, refused.body.reason], [403, "noHint"]);
    assert.deepEqual(eva.errors, []);
  } finally {
    await strict.stop();
  }
});
