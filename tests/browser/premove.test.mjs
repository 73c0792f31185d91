// Input before a move is sent: premoves, move confirmation, and several tabs of one player.
import assert from "node:assert/strict";
import { test } from "node:test";
import { records } from "../client/support/server-rules.mjs";
import { Person, house, throttle } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { DESK, PHONE, shot } from "./support/viewports.mjs";
import { hint, hintAfter, hintButton, plies, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

test("premove is sent on turn; Escape or an illegal position cancels it", async () => {
  const [ann, bob] = await game({});
  await ann.move(["h5", "g5"], 1, [ann, bob]);
  await ann.cell("g5");
  await ann.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  await ann.cell("f5");
  await hint(ann, "Premove: g5-f5");
  await ann.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await shot(ann.page, "live-ahead-desk-light");
  await ann.page.setViewportSize(PHONE.viewport);
  await ann.page.emulateMedia({ colorScheme: "dark" });
  await shot(ann.page, "live-ahead-phone-dark");
  await ann.page.setViewportSize(DESK.viewport);
  assert.equal(await plies(bob), 1, "the opponent does not see the premove");
  await bob.move(["a4", "b4"], 3, [bob]);
  for (const person of [ann, bob]) await person.sees(3);
  await ann.cell("f5");
  await ann.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  await ann.cell("e5");
  await hint(ann, "Premove: f5-e5");
  await ann.page.keyboard.press("Escape");
  await hint(ann, "You can premove");
  await bob.move(["b4", "c4"], 4, [ann, bob]);
  await hint(ann, "Your move");
  assert.equal(await plies(ann), 4, "a canceled premove is not sent");
  pagesWereQuiet([ann, bob]);

  // The opponent's leap removes the target square of the premove.
  const [kim, lea, id] = await game({ variant: "knightFight" });
  const ask = async (moves, turned) => {
    const { body } = await kim.ask(`/api/game/${id}`);
    const at = (
      await kim.ask("/api/position", {
        variant: "knightFight",
        options: body.options,
        start: body.initialFen,
        moves,
      })
    ).body;
    if (!turned) return at.legal;
    const [cells, turn, ...rest] = at.position.split(" ");
    return (
      await kim.ask("/api/position", {
        variant: "knightFight",
        options: body.options,
        start: [cells, 3 - turn, ...rest].join(" "),
      })
    ).body.legal;
  };
  const plain = (legal) => legal.filter((u) => !u.includes("x"));
  const moves = [];
  let wiped;
  while (!wiped) {
    assert.ok(moves.length < 40, "no leap makes a premove illegal");
    const legal = plain(await ask(moves));
    if (moves.length > 2) {
      const ahead = plain(await ask(moves, true));
      for (const u of legal) {
        const left = await ask([...moves, u]);
        const lost = ahead.find(
          (one) => left.length && !left.some((other) => other.split("x")[0] === one),
        );
        if (lost) wiped = { u, lost };
      }
    }
    if (wiped) break;
    const mover = moves.length % 2 ? lea : kim;
    moves.push(legal.at(-1));
    await mover.play(id, legal.at(-1));
    await Promise.all([kim.sees(moves.length), lea.sees(moves.length)]);
  }
  const [hasty, mover] = moves.length % 2 ? [kim, lea] : [lea, kim];
  await hasty.cell(wiped.lost);
  await hint(hasty, `Premove: ${wiped.lost}`);
  // A double can be extended: the premove requires the button.
  const play = hintButton(hasty, `Play ${wiped.lost}`);
  if (await play.count()) await play.click();
  await hint(hasty, "Played on your turn");
  await hintAfter(hasty, `Premove ${wiped.lost} is no longer possible`, () =>
    mover.play(id, wiped.u),
  );
  await hint(hasty, "Your move");
  assert.equal(await plies(hasty), moves.length + 1);
  pagesWereQuiet([kim, lea]);
});

test("touch devices ask once for move confirmation; then moves wait for it", async () => {
  const [ida, jon] = await game({}, [PHONE, {}]);
  await hint(ida, "Confirm each move?");
  await hintButton(ida, "Yes").click();
  for (const cell of ["h5", "g5"]) await ida.cell(cell);
  await hint(ida, "h5-g5?");
  await shot(ida.page, "live-confirm-phone-light");
  // A second tap on the target does not send the move.
  await ida.cell("g5");
  assert.equal(await plies(ida), 0);
  await hintButton(ida, "Clear").click();
  await hint(ida, "Choose what to move");
  for (const cell of ["h5", "g5"]) await ida.cell(cell);
  await hintButton(ida, "Confirm").click();
  for (const person of [ida, jon]) await person.sees(1);
  await ida.page.reload();
  await ida.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await jon.page.click(".game-info .game-settings .btn");
  await jon.page.click("dialog .switch >> text=Confirm each move");
  await jon.page.keyboard.press("Escape");
  for (const cell of ["a4", "b4"]) await jon.cell(cell);
  await hint(jon, "a4-b4?");
  await shot(jon.page, "live-confirm-desk-light");
  assert.equal(await plies(jon), 1);
  await jon.page.keyboard.press("Enter");
  for (const person of [ida, jon]) await person.sees(2);
  for (const cell of ["g5", "f5"]) await ida.cell(cell);
  await hint(ida, "g5-f5?");
  pagesWereQuiet([ida, jon]);
});

test("five tabs of one player stay in sync, and a premove is made once", async () => {
  const [cid, dee, id] = await game({});
  const context = cid.page.context();
  const tabs = [cid];
  while (tabs.length < 5) {
    const page = await context.newPage();
    await page.goto(`${server.url}/${id}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    tabs.push(Object.assign(new Person(), { page, server, errors: [] }));
  }
  await tabs[3].page.bringToFront();
  await tabs[3].move(["h5", "g5"], 1, [...tabs, dee]);
  // Two tabs set the same premove: one of them is sent.
  for (const tab of [tabs[1], tabs[3]]) {
    await tab.page.bringToFront();
    await tab.cell("g5");
    await tab.page.waitForSelector(".game-status .btn:has-text('Cancel')");
    await tab.cell("f5");
    await hint(tab, "Premove: g5-f5");
  }
  await dee.move(["a4", "b4"], 3, [dee]);
  for (const tab of [...tabs, dee]) await tab.sees(3);
  for (const tab of [...tabs, dee]) assert.equal(await plies(tab), 3);
  pagesWereQuiet([cid, dee]);
});

test("click is kept when the opponent moves before the rules answer", async () => {
  const [ann, bob] = await game({});
  await ann.move(["h5", "g5"], 1, [ann, bob]);
  await throttle(ann.page, 4);
  let release;
  const held = new Promise((done) => {
    release = done;
  });
  await ann.page.route("**/api/position", async (route) => {
    await held;
    await route.continue();
  });
  const asked = ann.page.waitForRequest("**/api/position");
  await ann.cell("g5");
  await asked;
  await bob.move(["a4", "b4"], 2, [ann, bob]);
  release();
  await ann.page.waitForSelector("[data-cell=g5][aria-selected=true]", { state: "attached" });
  await ann.cell("f5");
  for (const person of [ann, bob]) await person.sees(3);
  pagesWereQuiet([ann, bob]);
});

test("error hint stays for its full time when the page is busy", async () => {
  const [ann, bob] = await game({});
  await ann.page.evaluate(() => {
    window.note = {};
    document.addEventListener(
      "pointerdown",
      () => {
        const hint = document.querySelector(".game-status");
        const said = hint.textContent;
        // Blocks for longer than an error hint is shown.
        const end = performance.now() + 4000;
        while (performance.now() < end);
        requestAnimationFrame(() => Object.assign(window.note, { said, seen: performance.now() }));
        new MutationObserver(() => {
          if (hint.textContent !== said) window.note.gone ??= performance.now();
        }).observe(hint, { childList: true, subtree: true });
      },
      { once: true },
    );
  });
  await ann.cell("d4");
  await ann.page.waitForFunction(() => window.note.seen && window.note.gone);
  const { said, seen, gone } = await ann.page.evaluate(() => window.note);
  assert.doesNotMatch(said, /Choose what to move/);
  assert.ok(gone - seen > 2400, `“${said}” was shown for ${Math.round(gone - seen)} ms`);
  await hint(ann, "Choose what to move");
  pagesWereQuiet([ann, bob]);
});

test("button press counts when a response arrives during the press", async () => {
  const record = records.find(({ name }) => name === "kopfOderKnopf-pass");
  const [one, two, id] = await game({ variant: "kopfOderKnopf", "options.target": "10" });
  // The move of ply 23 leaves penalties untaken and requires the button.
  for (const [ply, u] of record.moves.slice(0, 22).entries())
    await (ply % 2 ? two : one).play(id, u);
  await one.sees(22);
  const { page } = one;
  await page.waitForSelector("[data-cell=j4].is-selectable", { state: "attached" });
  await throttle(page, 4);
  await one.cell("j4");
  let release;
  const held = new Promise((done) => {
    release = done;
  });
  // Delays the preview of the move until the button is pressed, as on a slow connection.
  await page.route("**/api/position", async (route) => {
    await held;
    await route.continue();
  });
  await one.cell("i3");
  const button = hintButton(one, "Play j4-i3");
  await button.waitFor();
  const box = await button.boundingBox();
  const asked = page.waitForRequest("**/api/position");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await asked;
  await page.mouse.down();
  const answer = page.waitForResponse("**/api/position");
  release();
  await answer.then((response) => response.finished());
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await page.mouse.up();
  for (const person of [one, two]) await person.sees(23);
  pagesWereQuiet([one, two]);
});
