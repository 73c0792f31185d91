// The hands on a board: dragging, the loupe, wishes, what is heard and what moves.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";

// Motion is what is looked at here.
process.env.MOTION = "no-preference";

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

/** Counts in the page what sounds, what is sent to the game, and what shifts. */
const counters = () => {
  window.sent = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function note(text) {
    window.sent.push(text);
    return send.call(this, text);
  };
  window.heard = 0;
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function count(...at) {
    window.heard += this instanceof OscillatorNode ? 1 : 0;
    return start.apply(this, at);
  };
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts.push({ value: entry.value, asked: entry.hadRecentInput, of: entry.sources.map(({ node, previousRect: was, currentRect: is }) => `${node?.className || node?.nodeName} ${node?.textContent?.slice(0, 40)} ${[was.x, was.y, was.width, was.height]} to ${[is.x, is.y, is.width, is.height]}`) });
  }).observe({ type: "layout-shift", buffered: true });
};

/** A game of two, each at their page. */
const game = async (terms, options = [{}, {}]) => {
  const two = await Promise.all(options.map((option) => Person.open(browser, server, option, null)));
  for (const person of two) await person.ask("/api/guest", {});
  const made = await two[0].ask("/api/challenge", { variant: "caterpillarWar", color: "first", "clock.limit": 600, ...terms });
  const { id } = made.body;
  await two[1].ask(`/api/challenge/${id}/accept`, {});
  // The first is at no page of ours, so they are asked to come.
  await two[0].ask(`/api/challenge/${id}/ready`, { answer: "yes" });
  await Promise.all(two.map(async (person) => {
    await person.page.addInitScript(counters);
    await person.page.goto(`${person.server.url}/${id}`);
    await person.page.waitForSelector(".bd.live rect.hit");
  }));
  return [...two, id];
};

const hint = (person, text) => person.page.waitForSelector(`.hint >> text=${text}`);
const plies = (person) => person.page.locator(".moves button").count();
const shot = (person, name) => person.page.screenshot({ path: `${import.meta.dirname}/shots/hands-${name}.png` });
const wasQuiet = (...persons) => {
  for (const { errors } of persons) assert.deepEqual(errors, []);
  assert.equal(server.faults, "");
};

const middle = async (person, cell) => {
  const { x, y, width, height } = await person.page.locator(`[data-cell="${cell}"]`).boundingBox();
  return [x + width / 2, y + height / 2];
};

const lifted = (person) => person.page.locator(".board .air .lifted").count();
const chosen = (person) => person.page.locator(".marks .sel").count();

/** Presses a cell, and goes to another with the button held. */
const pull = async (person, from, to) => {
  const { mouse } = person.page;
  await mouse.move(...(await middle(person, from)));
  await mouse.down();
  await mouse.move(...(await middle(person, to)), { steps: 8 });
};

/** The piece of a cell: it is where it stands, and nothing hides it. */
const stands = (person, cell) =>
  person.page.waitForFunction((name) => {
    const board = document.querySelector(".bd.live");
    const { x, y, width, height } = document.querySelector(`[data-cell="${name}"]`).getBoundingClientRect();
    return board.getAnimations({ subtree: true }).length === 0 && [...board.querySelectorAll(".pieces > g > g")].some((piece) => {
      const box = piece.getBoundingClientRect();
      return Math.abs(box.x + box.width / 2 - x - width / 2) < width / 4 && Math.abs(box.y + box.height / 2 - y - height / 2) < height / 2;
    });
  }, cell);

test("a mouse drags a piece to an offered cell; anywhere else it goes back and stays chosen, and Escape takes the click back", async () => {
  const [ann, bob] = await game({});
  await pull(ann, "h5", "b7");
  assert.equal(await lifted(ann), 1);
  await shot(ann, "drag-desk-light");
  await ann.page.mouse.up();
  assert.deepEqual([await lifted(ann), await chosen(ann), await plies(ann)], [0, 1, 0], "no place for it there");
  await stands(ann, "h5");
  // A flick over the edge is let go outside; where a button was let go is not always seen.
  const { mouse } = ann.page;
  await mouse.move(...(await middle(ann, "h5")));
  await mouse.down();
  await mouse.move(5, 5);
  await mouse.up();
  await mouse.move(...(await middle(ann, "g4")));
  assert.deepEqual([await lifted(ann), await chosen(ann)], [0, 1], "a press ends outside too");
  await pull(ann, "h5", "g5");
  await ann.page.$eval(".bd.live", (board) => board.dispatchEvent(new PointerEvent("pointermove", { pointerId: 1, pointerType: "mouse", buttons: 0, bubbles: true })));
  assert.equal(await lifted(ann), 0, "no button holds it any more");
  await mouse.up();
  await pull(ann, "h5", "g5");
  await ann.page.keyboard.press("Escape");
  assert.deepEqual([await lifted(ann), await chosen(ann)], [0, 0]);
  await ann.page.mouse.up();
  assert.deepEqual([await chosen(ann), await plies(ann)], [0, 0]);
  // A caterpillar is two clicks by a drag, from tail to tower, and a third.
  await pull(ann, "h5", "d1");
  await ann.page.mouse.up();
  assert.deepEqual(await ann.page.$$eval(".marks .pip-text", (texts) => texts.map((text) => text.textContent)), ["1", "2"]);
  await ann.cell("d5");
  for (const person of [ann, bob]) await person.sees(1);
  await pull(bob, "a4", "b4");
  await bob.page.mouse.up();
  for (const person of [ann, bob]) await person.sees(2);
  assert.equal(await lifted(bob), 0);
  await stands(bob, "b4");
  // A board that is turned before the answer has come lets go of what was put down.
  server.process.kill("SIGSTOP");
  try {
    await pull(ann, "h4", "g4");
    await mouse.up();
    assert.equal(await lifted(ann), 1, "it waits where it was put");
    await ann.page.keyboard.press("f");
    assert.equal(await lifted(ann), 0);
    await stands(ann, "h4");
  } finally {
    server.process.kill("SIGCONT");
  }
  for (const person of [ann, bob]) await person.sees(3);
  await stands(ann, "g4");
  wasQuiet(ann, bob);
});

test("what is chosen ahead is dragged too", async () => {
  const [cas, dot] = await game({});
  await pull(dot, "a4", "b4");
  // What may be chosen ahead is asked for first.
  await dot.page.waitForSelector(".marks .sel", { state: "attached" });
  await dot.page.mouse.move(...(await middle(dot, "b5")));
  await dot.page.mouse.move(...(await middle(dot, "b4")));
  await dot.page.mouse.up();
  await hint(dot, "Ahead: a4-b4");
  await cas.move(["h5", "g5"], 2, [cas, dot]);
  await stands(dot, "b4");
  wasQuiet(cas, dot);
});

test("a finger drags under a loupe that never leaves the window", async () => {
  const [eli, fay] = await game({ variant: "hogga" }, [PHONE, {}]);
  const { page } = eli;
  await page.locator(".hint .btn:has-text('No')").tap();
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, point) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: point ? [{ x: point[0], y: point[1] }] : [] });
  const inside = () => page.$eval(".loupe", (loupe) => {
    const { left, top, right, bottom } = loupe.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  });
  const covers = (point) => page.$eval(".loupe", (loupe, [x, y]) => {
    const { left, top, right, bottom } = loupe.getBoundingClientRect();
    return x > left && x < right && y > top && y < bottom;
  }, point);
  await touch("touchStart", await middle(eli, "b10"));
  const corners = [[2, 2], [388, 2], [2, 840], [388, 840], await middle(eli, "l1"), await middle(eli, "a13")];
  for (const point of corners) {
    await touch("touchMove", point);
    await page.waitForSelector(".loupe");
    assert.ok(await inside(), `the loupe at ${point}`);
    assert.ok(!(await covers(point)), `the finger at ${point} covers the loupe`);
  }
  await touch("touchMove", await middle(eli, "b9"));
  assert.equal(await lifted(eli), 1);
  await page.waitForSelector(".loupe .aim:not(.off)");
  await shot(eli, "loupe-phone-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot(eli, "loupe-phone-dark");
  await touch("touchMove", await middle(eli, "f5"));
  await touch("touchEnd");
  assert.deepEqual([await lifted(eli), await chosen(eli), await plies(eli), await page.locator(".loupe").count()], [0, 1, 0, 0]);
  await touch("touchStart", await middle(eli, "b10"));
  await touch("touchMove", await middle(eli, "b9"));
  await touch("touchEnd");
  for (const person of [eli, fay]) await person.sees(1);
  // On a large board nobody needs a loupe.
  await page.setViewportSize({ width: 1000, height: 1000 });
  await fay.ask(`/api/board/game/${new URL(page.url()).pathname.slice(1)}/move/${(await fay.ask(`/api/game/${new URL(page.url()).pathname.slice(1)}`)).body.legal[0]}`, {});
  await eli.sees(2);
  await touch("touchStart", await middle(eli, "b9"));
  await touch("touchMove", await middle(eli, "d7"));
  assert.deepEqual([await lifted(eli), await page.locator(".loupe").count()], [1, 0]);
  await touch("touchEnd");
  wasQuiet(eli, fay);
});

test("all wishes are in one place, on a phone too: zen, coordinates, flip, sound, confirming, choosing ahead", async () => {
  const [gil, hal] = await game({}, [{}, PHONE]);
  const { page } = gil;
  const seen = (selector) => page.locator(selector).first().isVisible();
  const box = () => page.locator(".board").boundingBox();
  const stood = await box();
  await page.keyboard.press("z");
  for (const gone of [".moves", ".acts", ".chat", ".info", ".top", ".bar .name"]) assert.equal(await seen(gone === ".top" ? ".top nav" : gone), false, gone);
  for (const kept of [".board", ".clock", ".hint"]) assert.equal(await seen(kept), true, kept);
  assert.deepEqual(await box(), stood, "the board keeps its place");
  await shot(gil, "zen-desk-light");
  await page.reload();
  await page.waitForSelector("body.zen .bd.live rect.hit");
  // Escape takes clicks back before it leads out of zen.
  await gil.cell("h5");
  await page.keyboard.press("Escape");
  assert.equal(await chosen(gil), 0);
  assert.equal(await seen(".acts"), false);
  await page.keyboard.press("Escape");
  assert.equal(await seen(".acts"), true);
  const a1 = await page.locator("[data-cell=a1]").boundingBox();
  // A key that is held is pressed once.
  for (const press of ["down", "down", "up"]) await page.keyboard[press]("f");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y, "f turns the board");
  await page.keyboard.press("f");
  await page.focus(".chat input");
  await page.keyboard.type("fizz");
  assert.deepEqual(await page.locator("[data-cell=a1]").boundingBox(), a1, "letters that are written are no keys");
  assert.equal(await page.inputValue(".chat input"), "fizz");

  await gil.cell("h5");
  await page.click(".info .wishes .btn");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await chosen(gil), 1, "what closes a dialog does nothing behind it");
  await page.keyboard.press("Escape");
  assert.equal(await chosen(gil), 0);
  await page.click(".info .wishes .btn");
  const names = ["Confirm each move", "Choose a move ahead", "Sound", "Coordinates", "Zen"];
  for (const name of names) assert.equal(await page.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await shot(gil, "wishes-desk-light");
  await page.click("dialog .switch:has-text('Coordinates')");
  assert.equal(await seen(".coords"), false);
  await page.click("dialog >> text=Flip the board");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector(".bd.live rect.hit");
  assert.equal(await seen(".coords"), false, "it is remembered");

  const phone = hal.page;
  await phone.tap(".title .icon[title=Settings]");
  for (const name of names) assert.equal(await phone.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await shot(hal, "wishes-phone-light");
  await phone.tap("dialog .switch:has-text('Choose a move ahead')");
  await phone.tap("dialog .icon");
  await phone.touchscreen.tap(...(await middle(hal, "a4")));
  await hint(hal, "is to move");
  assert.equal(await chosen(hal), 0, "nothing is chosen ahead any more");
  await phone.tap(".title .icon[title=Settings]");
  await phone.tap("dialog .switch:has-text('Zen')");
  await phone.waitForSelector("dialog", { state: "detached" });
  assert.equal(await phone.locator(".acts").isVisible(), false);
  await shot(hal, "zen-phone-light");
  await phone.tap(".zen-leave");
  assert.equal(await phone.locator(".acts").isVisible(), true);
  wasQuiet(gil, hal);
});

test("nothing is heard until it is switched on; then a move is, and nothing is louder than -12 dB", async () => {
  const [ida, jon] = await game({});
  const heard = ({ page }) => page.evaluate(() => window.heard);
  await ida.move(["h5", "g5"], 1, [ida, jon]);
  await jon.move(["a4", "b4"], 2, [ida, jon]);
  assert.deepEqual([await heard(ida), await heard(jon)], [0, 0]);
  await ida.page.click(".info .wishes .btn");
  await ida.page.click("dialog .switch:has-text('Sound')");
  await ida.page.keyboard.press("Escape");
  const switched = await heard(ida);
  assert.ok(switched > 0, "what is switched on is heard");
  await ida.move(["g5", "f5"], 3, [ida, jon]);
  const moved = await heard(ida);
  assert.ok(moved > switched, "the own move");
  await jon.move(["b4", "c4"], 4, [ida, jon]);
  assert.ok((await heard(ida)) > moved + 1, "the other's move, and that it is one's turn");
  assert.equal(await heard(jon), 0, "only who wants it hears it");
  await ida.page.reload();
  await ida.page.waitForSelector(".bd.live rect.hit");
  assert.equal(await heard(ida), 0, "nothing before the page is touched");
  await ida.move(["f5", "e5"], 5, [ida, jon]);
  assert.ok((await heard(ida)) > 0, "it is remembered");
  const peaks = await ida.page.evaluate(async () => {
    const { LOUDEST, outlet, voice } = await import(document.querySelector("script[src$='game.js']").src.replace(/game\.js$/, "sound-voices.js"));
    const render = async (make) => {
      const context = new OfflineAudioContext(1, 44100, 44100);
      make(context, outlet(context));
      const samples = (await context.startRendering()).getChannelData(0);
      return Math.max(...samples.map(Math.abs));
    };
    const names = ["move", "second", "turn", "strike", "wipe", "yours", "accepted", "end", "low"];
    const single = await Promise.all(["wood", "slate", "linen", "tile", "peg"].flatMap((material) => names.map((what) => render((context, out) => voice(context, out, what, 0.01, { material })))));
    const crowd = await render((context, out) => Array.from({ length: 30 }, () => voice(context, out, "end", 0.01)));
    return { LOUDEST, quietest: Math.min(...single), loudest: Math.max(...single, crowd) };
  });
  assert.ok(peaks.loudest <= peaks.LOUDEST + 1e-6 && peaks.LOUDEST < 0.2513, JSON.stringify(peaks));
  assert.ok(peaks.quietest > 0.01, `each can be heard: ${peaks.quietest}`);
  wasQuiet(ida, jon);
});

/** What moves on a board now: the properties, and how much of it there is. */
const moving = ({ page }) => page.evaluate(() => {
  const all = document.querySelector(".bd.live").getAnimations({ subtree: true });
  const rest = new Set(["offset", "computedOffset", "easing", "composite"]);
  const names = new Set(all.flatMap(({ effect }) => effect.getKeyframes().flatMap((frame) => Object.keys(frame).filter((name) => !rest.has(name)))));
  return { count: all.length, names: [...names].sort(), strays: document.querySelectorAll(".stray").length };
});

/** Tells, in the page, what moves in the frame after a move was drawn. */
const catchMotion = ({ page }) => page.evaluate(() => {
  window.caught = new Promise((done) => {
    const look = () => {
      const all = document.querySelector(".bd.live").getAnimations({ subtree: true }).filter((one) => !window.caughtAll?.includes(one));
      if (all.length === 0) return requestAnimationFrame(look);
      // It stands still, so that it can be looked at.
      window.caughtAll = all;
      all.forEach((animation) => animation.pause());
      return done(all.length);
    };
    look();
  });
});

test("pieces move by transform and opacity alone, a click ends it at its last frame, and who wants none sees none", async () => {
  for (const variant of ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"]) {
    const [kim, lea, id] = await game({ variant }, [{}, { reducedMotion: "reduce" }]);
    const { legal } = (await kim.ask(`/api/game/${id}`)).body;
    const u = [...legal].sort((one, two) => two.length - one.length)[0];
    await catchMotion(kim);
    await lea.page.evaluate(() => {
      window.moved = 0;
      const look = () => {
        window.moved += document.querySelector(".bd.live").getAnimations({ subtree: true }).length + document.querySelectorAll(".stray").length;
        requestAnimationFrame(look);
      };
      look();
    });
    await kim.ask(`/api/board/game/${id}/move/${encodeURIComponent(u)}`, {});
    assert.ok((await kim.page.evaluate(() => window.caught)) > 0, variant);
    const { names, strays } = await moving(kim);
    assert.ok(names.every((name) => ["opacity", "transform"].includes(name)), `${variant}: ${names}`);
    assert.ok(strays > 0, variant);
    await kim.page.mouse.click(...(await middle(kim, u.match(/[a-z]\d+/)[0])));
    const states = await kim.page.evaluate(() => window.caughtAll.map(({ playState }) => playState));
    assert.deepEqual([[...new Set(states)], (await moving(kim)).strays], [["finished"], 0], variant);
    await lea.sees(1);
    await lea.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal(await lea.page.evaluate(() => window.moved), 0, variant);
    wasQuiet(kim, lea);
    for (const person of [kim, lea]) await person.page.context().close();
  }
});

test("a move that comes while another is under way, a turned board and a takeback leave nothing behind", async () => {
  const [mia, ned, id] = await game({});
  const moves = ["h5(d1)d5", "a4(d7)d4", "h4-g4"];
  for (const [ply, u] of moves.entries()) {
    await catchMotion(mia);
    await (ply % 2 ? ned : mia).ask(`/api/board/game/${id}/move/${encodeURIComponent(u)}`, {});
    await mia.page.evaluate(() => window.caught);
    // What has been caught stands still until the next move ends it.
    assert.ok((await moving(mia)).strays > 0, u);
    if (ply === 1) {
      await mia.page.keyboard.press("f");
      const { count, strays } = await moving(mia);
      assert.deepEqual([count, strays], [0, 0]);
    }
  }
  await stands(ned, "g4");
  await catchMotion(ned);
  await mia.page.click(".acts >> text=Takeback");
  // A double click is one answer.
  await ned.page.waitForSelector(".hint .btn.main:has-text('Yes'):not(.settling)");
  await ned.page.$eval(".hint .btn.main", (button) => [1, 2].forEach((detail) => button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }))));
  await ned.page.evaluate(() => window.caught);
  assert.equal(await ned.page.evaluate(() => window.sent.filter((text) => text.includes('"accept"')).length), 1);
  assert.ok(await ned.page.evaluate(() => window.caughtAll.every(({ playbackRate }) => playbackRate === -2)), "back, at double speed");
  await ned.page.evaluate(() => window.caughtAll.forEach((animation) => animation.play()));
  await stands(ned, "h4");
  const tokens = ({ page }) => page.$$eval(".pieces > g", (spots) => spots.map((spot) => spot.childElementCount));
  await stands(mia, "h4");
  assert.deepEqual(await tokens(mia), await tokens(ned));
  assert.deepEqual((await moving(ned)).strays, 0);
  wasQuiet(mia, ned);
});

test("a whole game by taps alone, on two phones, in which nothing shifts", async (context) => {
  const [ora, pim] = await game({ variant: "knightFight" }, [PHONE, PHONE]);
  const both = [ora, pim];
  for (const { page } of both) {
    const no = page.locator(".hint .btn:has-text('No')");
    if (await no.count()) await no.tap();
  }
  const shifts = (person) => person.page.evaluate(() => window.shifts.splice(0));
  let ply = 0;
  for (;;) {
    const mover = both[ply % 2];
    await mover.page.waitForFunction(() => document.querySelector("rect.hit.own") || document.querySelector(".result"));
    if (await mover.page.$(".result")) break;
    const no = mover.page.locator(".hint .btn:has-text('No')");
    if (await no.count()) await no.tap();
    const offered = await mover.offered();
    await mover.page.touchscreen.tap(...(await middle(mover, offered[Math.floor(offered.length / 2)])));
    await mover.page.waitForFunction((count) => document.querySelectorAll(".moves button").length > count || document.querySelector(".hint .btn.main"), ply);
    const leave = mover.page.locator(".hint .btn.main:has-text('Play')");
    if (await leave.count()) await leave.tap();
    ply += 1;
    for (const person of both) await person.page.waitForSelector(`.moves button[data-ply="${ply}"]`, { state: "attached" });
    // What the page is built of may come in parts; from the first move on nothing shifts.
    if (ply === 1) for (const person of both) await shifts(person);
  }
  for (const person of both) await person.page.waitForSelector(".result");
  for (const [at, person] of both.entries()) {
    const all = await shifts(person);
    const sum = (some) => some.reduce((total, { value }) => total + value, 0);
    const asked = all.filter((shift) => shift.asked);
    context.diagnostic(`layout shift on phone ${at + 1} in ${ply} plies: ${sum(all)} (of it by what taps did: ${sum(asked)})`);
    assert.equal(sum(all), 0, JSON.stringify(all, null, 1));
  }
  await shot(ora, "touch-end-phone-light");
  wasQuiet(ora, pim);
});
