// What happens between two moves: asking, choosing ahead, leaving, coming back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";
import { Proxy } from "./proxy.mjs";

let server;
let browser;
before(async () => {
  server = await Server.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A game of two, each at their page. */
const game = async (terms, options = [{}, {}], at = [server, server]) => {
  const two = await Promise.all(options.map((option, n) => Person.open(browser, at[n], option, null)));
  for (const person of two) await person.ask("/api/guest", {});
  const made = await two[0].ask("/api/challenge", { variant: "caterpillarWar", color: "first", "clock.limit": 600, ...terms });
  const { id } = made.body;
  await two[1].ask(`/api/challenge/${id}/accept`, {});
  // The first is at no page of ours, so they are asked to come.
  await two[0].ask(`/api/challenge/${id}/ready`, { answer: "yes" });
  await Promise.all(two.map(async (person) => {
    await person.page.goto(`${person.server.url}/${id}`);
    await person.page.waitForSelector(".bd.live rect.hit");
  }));
  return [...two, id];
};

const hint = (person, text) => person.page.waitForSelector(`.hint >> text=${text}`);
const hintButton = (person, text) => person.page.locator(`.hint .btn:has-text("${text}")`);
const plies = (person) => person.page.locator(".moves button").count();
const wasQuiet = (...persons) => {
  for (const { errors } of persons) assert.deepEqual(errors, []);
};
const shot = (person, name) => person.page.screenshot({ path: `${import.meta.dirname}/shots/live-${name}.png` });

test("a move chosen ahead is sent when its turn comes, dropped by Escape, and dropped when it has become impossible", async () => {
  const [ann, bob] = await game({});
  await ann.move(["h5", "g5"], 1, [ann, bob]);
  await ann.cell("g5");
  await ann.page.waitForSelector(".hint .btn:has-text('Drop it')");
  await ann.cell("f5");
  await hint(ann, "Ahead: g5-f5");
  await ann.page.waitForSelector(".marks .unsent", { state: "attached" });
  await shot(ann, "ahead-desk-light");
  await ann.page.setViewportSize(PHONE.viewport);
  await ann.page.emulateMedia({ colorScheme: "dark" });
  await shot(ann, "ahead-phone-dark");
  await ann.page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await plies(bob), 1, "nobody else knows of it");
  await bob.move(["a4", "b4"], 3, [bob]);
  for (const person of [ann, bob]) await person.sees(3);
  await ann.cell("f5");
  await ann.page.waitForSelector(".hint .btn:has-text('Drop it')");
  await ann.cell("e5");
  await hint(ann, "Ahead: f5-e5");
  await ann.page.keyboard.press("Escape");
  await hint(ann, "You may choose ahead");
  await bob.move(["b4", "c4"], 4, [ann, bob]);
  await hint(ann, "Your move");
  assert.equal(await plies(ann), 4, "what was dropped is not sent");
  wasQuiet(ann, bob);

  // The other's leap wipes the square that was chosen.
  const [kim, lea, id] = await game({ variant: "knightFight" });
  const ask = async (moves, turned) => {
    const { body } = await kim.ask(`/api/game/${id}`);
    const at = (await kim.ask("/api/position", { variant: "knightFight", options: body.options, start: body.initialFen, moves })).body;
    if (!turned) return at.legal;
    const [cells, turn, ...rest] = at.position.split(" ");
    return (await kim.ask("/api/position", { variant: "knightFight", options: body.options, start: [cells, 3 - turn, ...rest].join(" ") })).body.legal;
  };
  const plain = (legal) => legal.filter((u) => !u.includes("x"));
  const moves = [];
  let wiped;
  while (!wiped) {
    assert.ok(moves.length < 40, "no leap made another impossible");
    const legal = plain(await ask(moves));
    if (moves.length > 2) {
      const ahead = plain(await ask(moves, true));
      for (const u of legal) {
        const left = await ask([...moves, u]);
        const lost = ahead.find((one) => left.length && !left.some((other) => other.split("x")[0] === one));
        if (lost) wiped = { u, lost };
      }
    }
    if (wiped) break;
    const mover = moves.length % 2 ? lea : kim;
    moves.push(legal.at(-1));
    await mover.ask(`/api/board/game/${id}/move/${encodeURIComponent(legal.at(-1))}`, {});
    await Promise.all([kim.sees(moves.length), lea.sees(moves.length)]);
  }
  const [hasty, mover] = moves.length % 2 ? [kim, lea] : [lea, kim];
  await hasty.cell(wiped.lost);
  const play = hintButton(hasty, "Play");
  await hasty.page.waitForSelector(".marks .sel", { state: "attached" });
  if (await play.count()) await play.click();
  await hint(hasty, `Ahead: ${wiped.lost}`);
  await mover.ask(`/api/board/game/${id}/move/${encodeURIComponent(wiped.u)}`, {});
  await hint(hasty, `${wiped.lost} is not possible any more`);
  await hint(hasty, "Your move");
  assert.equal(await plies(hasty), moves.length + 1);
  wasQuiet(kim, lea);
});

test("a finger is asked once whether moves are to be confirmed; then each waits for Confirm or Enter", async () => {
  const [ida, jon] = await game({}, [PHONE, {}]);
  await hint(ida, "Confirm each move?");
  await hintButton(ida, "Yes").click();
  for (const cell of ["h5", "g5"]) await ida.cell(cell);
  await hint(ida, "h5-g5?");
  await shot(ida, "confirm-phone-light");
  // A slip of the finger sends nothing.
  await ida.cell("g5");
  assert.equal(await plies(ida), 0);
  await hintButton(ida, "Clear").click();
  await hint(ida, "Choose what to move");
  for (const cell of ["h5", "g5"]) await ida.cell(cell);
  await hintButton(ida, "Confirm").click();
  for (const person of [ida, jon]) await person.sees(1);
  await ida.page.reload();
  await ida.page.waitForSelector(".bd.live rect.hit");
  await jon.page.click(".info .wishes .btn");
  await jon.page.click("dialog .switch >> text=Confirm each move");
  await jon.page.keyboard.press("Escape");
  for (const cell of ["a4", "b4"]) await jon.cell(cell);
  await hint(jon, "a4-b4?");
  await shot(jon, "confirm-desk-light");
  assert.equal(await plies(jon), 1);
  await jon.page.keyboard.press("Enter");
  for (const person of [ida, jon]) await person.sees(2);
  for (const cell of ["g5", "f5"]) await ida.cell(cell);
  await hint(ida, "g5-f5?");
  wasQuiet(ida, jon);
});

test("a link to a ply opens there and is followed, but never takes a player's own move away", async () => {
  const [mia, ned, id] = await game({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await Person.open(browser, server, {}, `/${id}#1`);
  await hint(eve, "Move 1 of 2");
  await eve.page.evaluate(() => {
    location.hash = "#0";
  });
  await hint(eve, "Move 0 of 2");
  await eve.page.click("[aria-label='Copy a link to this move']");
  await eve.page.waitForSelector(`.toast >> text=/Link to move 0|#0/`);
  await mia.page.goto("about:blank");
  await mia.page.goto(`${server.url}/${id}#1`);
  await mia.page.waitForSelector(".bd.live rect.hit");
  await hint(mia, "Your move");
  wasQuiet(mia, ned, eve);
  // What is asked only to show what might be is no matter: refused, it is not asked again, and nobody is told.
  await mia.page.route("**/api/position", (route) => route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { reason: "tooFast" } }));
  const refused = mia.page.waitForResponse(/position/);
  await mia.cell("g5");
  await (await refused).finished();
  assert.equal(await mia.page.locator(".toast").count(), 0);
});

test("an offer cannot be answered before it was seen, and never replaces an own open question", async () => {
  const [pia, rob] = await game({});
  await pia.move(["h5", "g5"], 1, [pia, rob]);
  await rob.move(["a4", "b4"], 2, [pia, rob]);
  // Whatever button comes is pressed at once, as by somebody who was just pressing there.
  await rob.page.evaluate(() => {
    window.pressed = [];
    new MutationObserver(() => document.querySelectorAll(".hint .btn").forEach((button) => {
      window.pressed.push(`${button.textContent} ${button.getAttribute("aria-disabled")}`);
      button.click();
    })).observe(document.querySelector(".hint"), { childList: true });
  });
  await pia.page.click(".acts >> text=Draw");
  await hintButton(pia, "Offer").click();
  await hint(rob, "offers a draw");
  assert.deepEqual(await rob.page.evaluate(() => window.pressed), ["No true", "Accept true"]);
  await pia.page.waitForTimeout(300);
  await hint(rob, "offers a draw");
  await hint(pia, "You offer a draw");
  await hintButton(pia, "Withdraw").click();
  await rob.page.waitForFunction(() => !document.querySelector(".hint .btn"));
  await pia.move(["g5", "f5"], 3, [pia, rob]);
  await rob.page.reload();
  await rob.page.waitForSelector(".bd.live rect.hit");
  await rob.page.click(".acts >> text=Resign");
  await hint(rob, "Resign this game?");
  assert.ok(await rob.page.$eval(".hint p", (text) => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight), "the question can be read");
  await pia.page.click(".acts >> text=Draw");
  await hintButton(pia, "Offer").click();
  await rob.page.waitForFunction(() => /offers a draw/.test(document.querySelector("[aria-live=assertive]")?.textContent));
  await hint(rob, "Resign this game?");
  await hintButton(rob, "Keep playing").click();
  await hint(rob, "offers a draw");
  await hintButton(rob, "Accept").click();
  for (const person of [pia, rob]) await person.page.waitForSelector(".result >> text=by agreement");
  wasQuiet(pia, rob);
});

test("through a line that delays, falls silent and is cut, each move arrives once and the board can be looked at", async (context) => {
  const proxy = await Proxy.open(server.port);
  context.after(() => proxy.close());
  const [sue, tom] = await game({}, [{}, {}], [proxy, server]);
  proxy.delay = 150;
  await sue.move(["h5", "g5"], 1, [sue, tom]);
  // Silent, as behind a router that has forgotten: found out without waiting for a close.
  proxy.mute();
  await tom.move(["a4", "b4"], 2, [tom]);
  await sue.page.evaluate(() => dispatchEvent(new Event("offline")));
  await sue.sees(2);
  // Cut, and nothing answers for a while.
  proxy.away = true;
  proxy.cut();
  for (const cell of ["g5", "f5"]) await sue.cell(cell);
  await sue.page.waitForSelector(".marks .unsent", { state: "attached" });
  await sue.page.waitForSelector(".net >> text=Your moves are safe");
  await sue.page.keyboard.press("Home");
  await hint(sue, "Move 0 of 2");
  await sue.page.keyboard.press("End");
  proxy.away = false;
  for (const person of [sue, tom]) await person.sees(3);
  await sue.page.waitForSelector(".net", { state: "detached" });
  for (const person of [sue, tom]) assert.equal(await plies(person), 3);
  assert.deepEqual(sue.errors.filter((error) => !/ERR_/.test(error)), []);
  wasQuiet(tom);
});

test("moves are taken back by consent, time is given, and each line of chat leads to its move", async () => {
  const [una, vic, id] = await game({ "clock.limit": 600, "clock.increment": 5 }, [{}, PHONE]);
  const eve = await Person.open(browser, server, { name: "Eve" }, `/${id}`);
  await una.page.waitForSelector(".watching >> text=Watching: Eve");
  await una.move(["h5", "g5"], 1, [una, vic, eve]);
  await vic.ask(`/api/board/game/${id}/move/a4-b4`, {});
  for (const person of [una, vic, eve]) await person.sees(2);
  await una.page.fill(".chat input", "good luck");
  await una.page.press(".chat input", "Enter");
  await una.move(["g5", "f5"], 3, [una, vic, eve]);
  await una.page.fill(".chat input", "that was a slip");
  await una.page.press(".chat input", "Enter");
  await una.page.click(".said[data-ply='2']");
  await hint(una, "Move 2 of 3");
  await una.page.mouse.move(600, 790);
  await shot(una, "chat-desk-light");
  await una.page.setViewportSize(PHONE.viewport);
  await una.page.click(".chat-key");
  await shot(una, "chat-phone-light");
  // On a phone the sheet makes way for the board.
  await una.page.click(".said[data-ply='3']");
  await una.page.waitForSelector(".chat", { state: "hidden" });
  await una.page.keyboard.press("ArrowLeft");
  await una.page.click(".title .about");
  await shot(una, "info-phone-light");
  await una.page.click(".title .about");
  await una.page.setViewportSize({ width: 1280, height: 800 });
  await hintButton(una, "Back to now").click();
  // A past that is looked at stays there while it exists.
  await eve.page.click(".moves [data-ply='1']");
  await una.page.click(".acts >> text=Takeback");
  await hint(una, "Takeback asked for");
  await hint(vic, "asks to take back a move");
  await shot(vic, "takeback-phone-light");
  await hintButton(vic, "No").click();
  await hint(una, "would rather not take it back");
  await una.page.click(".acts >> text=Takeback");
  await hint(una, "once a move");
  await vic.ask(`/api/board/game/${id}/move/b4-c4`, {});
  await una.sees(4);
  await una.move(["f5", "e5"], 5, [una, vic]);
  await una.page.click(".acts >> text=Takeback");
  await hint(vic, "asks to take back a move");
  await vic.page.emulateMedia({ colorScheme: "dark" });
  await shot(vic, "takeback-phone-dark");
  await vic.page.setViewportSize({ width: 1280, height: 800 });
  await shot(vic, "takeback-desk-dark");
  await vic.page.setViewportSize(PHONE.viewport);
  await hintButton(vic, "Yes").click();
  for (const person of [una, vic]) {
    await person.sees(4);
    await person.page.waitForFunction(() => document.querySelectorAll(".moves button").length === 4);
  }
  await hint(eve, "Move 1 of 4");
  await hint(una, "Your move");
  await una.page.waitForFunction(() => document.querySelector("[data-cell=f5]").getAttribute("aria-label").includes("white"));
  const before = (await una.ask(`/api/game/${id}`)).body.clocks.second;
  for (const cell of ["c4", "d4"]) {
    await vic.cell(cell);
    await vic.page.waitForSelector(".hint .btn:has-text('Drop it')");
  }
  await hint(vic, "Ahead: c4-d4");
  await una.page.click(".more");
  await hint(vic, "gives you 15 s");
  // Beside what is chosen ahead, which can be dropped meanwhile.
  assert.match(await vic.page.textContent(".hint"), /Ahead: c4-d4.*Drop it/);
  await vic.page.keyboard.press("Escape");
  assert.equal((await una.ask(`/api/game/${id}`)).body.clocks.second, before + 15000);
  assert.match(await una.page.textContent(".lag"), /Lag made good: up to \d\.\d s/);
  await una.page.click(".lag summary");
  assert.ok(await una.page.isVisible(".lag >> text=That time is given back"));
  await shot(una, "lag-desk-light");
  await una.move(["f5", "f6"], 5, [una, vic]);
  wasQuiet(una, vic, eve);
});

test("who leaves is given time to come back, and then the win may be claimed", async (context) => {
  // Told after two seconds and claimed after eight, instead of five and twenty: nothing else differs.
  const own = await Server.start("--claim-ms", "12000");
  context.after(() => own.stop());
  const proxy = await Proxy.open(own.port);
  const [wim, xia, id] = await game({ "clock.limit": 60, "clock.increment": 0 }, [PHONE, {}], [own, proxy]);
  await hintButton(wim, "No").click();
  await wim.move(["h5", "g5"], 1, [wim, xia]);
  await xia.ask(`/api/board/game/${id}/move/a4-b4`, {});
  await wim.move(["g5", "f5"], 3, [wim, xia]);
  proxy.away = true;
  proxy.cut();
  await hint(wim, "left.");
  await wim.page.waitForSelector(".bar.gone .away >> text=gone 0:");
  await shot(wim, "gone-phone-light");
  proxy.away = false;
  await wim.page.waitForSelector(".bar.gone", { state: "detached" });
  await hint(wim, "is to move");
  proxy.close();
  await hint(wim, "You may claim the win in");
  await hintButton(wim, "Wait").waitFor({ timeout: 40000 });
  await shot(wim, "claim-phone-light");
  await wim.page.setViewportSize({ width: 1280, height: 800 });
  await wim.page.emulateMedia({ colorScheme: "dark" });
  await shot(wim, "claim-desk-dark");
  await hintButton(wim, "Wait").click();
  await wim.page.click(".bar .away:not(:disabled)");
  await hintButton(wim, "Claim the win").click();
  await wim.page.waitForSelector(".result >> text=left the game");
  assert.equal(await wim.page.textContent(".result h2"), "You won");
  wasQuiet(wim);
});

test("who follows the best game is taken to the next, or stays", async () => {
  const [yan, zoe, id] = await game({ variant: "hogga" });
  const eve = await Person.open(browser, server, {}, null);
  await eve.page.clock.install();
  await eve.page.goto(`${server.url}/${id}?tv=hogga`);
  await hint(eve, "You are watching");
  const next = await game({ variant: "hogga" });
  // A game that is no better takes the place of one that is over; the page looks as soon as it is.
  await yan.ask(`/api/board/game/${id}/abort`, {});
  await hint(eve, "The next game in");
  await hintButton(eve, "Stay").click();
  await eve.page.clock.fastForward(10000);
  await hint(eve, "called off");
  assert.equal(eve.page.url(), `${server.url}/${id}?tv=hogga`);
  const last = await game({ variant: "hogga" });
  await next[0].ask(`/api/board/game/${next[2]}/abort`, {});
  // From here it looks every ten seconds, which are set forward, and says five before it goes.
  const there = `${server.url}/${last[2]}?tv=hogga`;
  for (let looks = 0; eve.page.url() !== there; looks += 1) {
    assert.ok(looks < 30, "the page never went");
    await eve.page.clock.fastForward(10000);
    await eve.page.waitForURL(there, { timeout: 1000 }).catch(() => {});
  }
  wasQuiet(yan, zoe, eve, ...next.slice(0, 2), ...last.slice(0, 2));
});

test("a page says why it is away, waits longer when it was too eager, and the board stays", async () => {
  const [abe, bea, id] = await game({});
  await abe.move(["h5", "g5"], 1, [abe, bea]);
  const eve = await Person.open(browser, server, {}, null);
  await eve.page.clock.install();
  const lines = [];
  await eve.page.routeWebSocket(/\/ws\/game\//, (line) => {
    line.connectToServer();
    lines.push(line);
  });
  await eve.page.goto(`${server.url}/${id}`);
  await eve.sees(1);
  const ends = async (code, text) => {
    const before = lines.length;
    await lines.at(-1).close({ code, reason: "" });
    await eve.page.waitForSelector(`.net >> text=${text}`);
    return before;
  };
  const restarts = lines.length;
  await lines.at(-1).close({ code: 1012, reason: "" });
  await eve.page.waitForTimeout(1400);
  assert.ok(lines.length > restarts, "it came back");
  assert.equal(await eve.page.locator(".net").count(), 0, "so soon that nothing was said");
  const eager = await ends(1008, "Too many messages");
  // It is told there that it was too eager.
  await eve.page.waitForTimeout(2000);
  assert.equal(lines.length, eager, "not at once");
  await eve.page.click(".moves [data-ply='1']");
  await eve.page.keyboard.press("Home");
  await hint(eve, "Move 0 of 1");
  await eve.page.clock.fastForward(13000);
  await eve.page.waitForSelector(".net", { state: "detached", timeout: 20000 });
  assert.equal(lines.length, eager + 1);
  const out = await ends(4401, "You are logged out here");
  await eve.page.clock.fastForward(20000);
  await eve.page.waitForTimeout(1200);
  assert.equal(lines.length, out, "nobody comes back with a session that has ended");
  wasQuiet(abe, bea, eve);
});

test("R8: five tabs of one player stand alike, and a move chosen in one is made once", async () => {
  const [cid, dee, id] = await game({});
  const context = cid.page.context();
  const tabs = [cid];
  while (tabs.length < 5) {
    const page = await context.newPage();
    await page.goto(`${server.url}/${id}`);
    await page.waitForSelector(".bd.live rect.hit");
    tabs.push(Object.assign(new Person(), { page, server, errors: [] }));
  }
  await tabs[3].page.bringToFront();
  await tabs[3].move(["h5", "g5"], 1, [...tabs, dee]);
  // Two of them choose the same ahead: one of both is sent.
  for (const tab of [tabs[1], tabs[3]]) {
    await tab.page.bringToFront();
    await tab.cell("g5");
    await tab.page.waitForSelector(".hint .btn:has-text('Drop it')");
    await tab.cell("f5");
    await hint(tab, "Ahead: g5-f5");
  }
  await dee.move(["a4", "b4"], 3, [dee]);
  for (const tab of [...tabs, dee]) await tab.sees(3);
  for (const tab of [...tabs, dee]) assert.equal(await plies(tab), 3);
  wasQuiet(cid, dee);
});

test("once more with the same sides and on the same board", async () => {
  const [fay, gil, id] = await game({ variant: "knightFight" }, [PHONE, {}]);
  const legal = async (person) => (await person.ask(`/api/game/${id}`)).body.legal[0];
  for (const [ply, person] of [fay, gil].entries()) {
    await person.ask(`/api/board/game/${id}/move/${encodeURIComponent(await legal(person))}`, {});
    await Promise.all([fay.sees(ply + 1), gil.sees(ply + 1)]);
  }
  await fay.page.click(".acts >> text=Resign");
  await hintButton(fay, "Resign").click();
  const [eve, ivo] = await Promise.all([{}, PHONE].map((option) => Person.open(browser, server, option, `/${id}`)));
  for (const { page } of [eve, ivo]) await page.waitForSelector(".result >> text=resigned");
  await ivo.page.click("text=Look at the board");
  await fay.page.click(".result >> text=Same sides");
  await fay.page.click(".result >> text=Same board");
  await shot(fay, "rematch-phone-light");
  await shot(gil, "rematch-desk-light");
  await fay.page.click(".result .btn.main:has-text('Rematch')");
  await gil.page.waitForSelector(".result >> text=With the same sides. On the same board.");
  await shot(gil, "offered-desk-light");
  await gil.page.click(".result .btn.main:has-text('Accept')");
  await gil.page.waitForURL((url) => url.pathname !== `/${id}`);
  await fay.page.waitForURL(gil.page.url());
  const [before, now] = (await Promise.all([id, new URL(gil.page.url()).pathname.slice(1)].map((each) => fay.ask(`/api/game/${each}`)))).map(({ body }) => body);
  assert.deepEqual([now.you, now.initialFen], [before.you, before.initialFen]);
  // Whoever watched is told, and goes along if they like.
  await eve.page.waitForSelector(".result .again a >> text=They play again: watch");
  await shot(eve, "again-desk-light");
  await hint(ivo, "They play again.");
  await shot(ivo, "again-phone-light");
  await Promise.all([eve.page.click(".again a:not(.settling)"), hintButton(ivo, "Watch").and(ivo.page.locator(":not(.settling)")).click()]);
  for (const { page } of [eve, ivo]) await page.waitForURL(gil.page.url());
  wasQuiet(eve, ivo);
  wasQuiet(fay, gil);
});

test("a server that stood still says so, and nobody's clock ran", async (context) => {
  const own = await Server.start();
  context.after(() => own.stop());
  const [hal, ivy, id] = await game({ "clock.limit": 300 }, [{}, {}], [own, own]);
  await hal.move(["h5", "g5"], 1, [hal, ivy]);
  await ivy.move(["a4", "b4"], 2, [hal, ivy]);
  own.process.kill("SIGSTOP");
  await hal.page.waitForTimeout(4000);
  own.process.kill("SIGCONT");
  await hint(hal, "nobody's clock ran");
  await hal.move(["g5", "f5"], 3, [hal, ivy]);
  const { clocks } = (await hal.ask(`/api/game/${id}`)).body;
  assert.ok(clocks.first > 297000, `${clocks.first}`);
  wasQuiet(hal, ivy);
});
