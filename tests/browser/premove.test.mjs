// Input before a move is sent: premoves, move confirmation, and several tabs of one player.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { recordedGames } from "../client/support/server-rules.mjs";
import { User, startServerAndBrowser, throttle } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot } from "./support/viewports.mjs";
import {
  waitForStatus,
  statusAfter,
  statusButton,
  countPlies,
  gameStarter,
} from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

test("premove is sent on turn unless canceled or illegal", async () => {
  const [ann, bob] = await startGame({});
  await ann.move(["h5", "g5"], 1, [ann, bob]);
  await ann.clickCell("g5");
  await ann.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  await ann.clickCell("f5");
  await waitForStatus(ann, "Premove: g5-f5");
  await ann.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await screenshot(ann.page, "live-premove-desktop-light");
  await ann.page.setViewportSize(PHONE.viewport);
  await ann.page.emulateMedia({ colorScheme: "dark" });
  await screenshot(ann.page, "live-premove-phone-dark");
  await ann.page.setViewportSize(DESKTOP.viewport);
  assert.equal(await countPlies(bob), 1, "the opponent does not see the premove");
  await bob.move(["a4", "b4"], 3, [bob]);
  for (const user of [ann, bob]) await user.waitForPly(3);
  await ann.clickCell("f5");
  await ann.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  await ann.clickCell("e5");
  await waitForStatus(ann, "Premove: f5-e5");
  await ann.page.keyboard.press("Escape");
  await waitForStatus(ann, "You can premove");
  await bob.move(["b4", "c4"], 4, [ann, bob]);
  await waitForStatus(ann, "Your move");
  assert.equal(await countPlies(ann), 4, "a canceled premove is not sent");
  assertNoPageErrors([ann, bob]);

  // The opponent's leap removes the target square of the premove.
  const [kim, lea, id] = await startGame({ variant: "knightFight" });
  const legalMovesAfter = async (moves, isFlipped) => {
    const { body } = await kim.request(`/api/game/${id}`);
    const position = (
      await kim.request("/api/position", {
        variant: "knightFight",
        options: body.options,
        start: body.initialFen,
        moves,
      })
    ).body;
    if (!isFlipped) return position.legal;
    const [cells, turn, ...rest] = position.position.split(" ");
    return (
      await kim.request("/api/position", {
        variant: "knightFight",
        options: body.options,
        start: [cells, 3 - turn, ...rest].join(" "),
      })
    ).body.legal;
  };
  const withoutCaptures = (legal) => legal.filter((u) => !u.includes("x"));
  const moves = [];
  let found;
  while (!found) {
    assert.ok(moves.length < 40, "no leap makes a premove illegal");
    const legal = await legalMovesAfter(moves);
    const leaps = withoutCaptures(legal);
    if (moves.length > 2) {
      const premoves = withoutCaptures(await legalMovesAfter(moves, true));
      for (const u of leaps) {
        const replies = await legalMovesAfter([...moves, u]);
        const premove = premoves.find(
          (move) => replies.length && !replies.some((other) => other.split("x")[0] === move),
        );
        if (premove) found = { u, premove };
      }
    }
    if (found) break;
    const mover = moves.length % 2 ? lea : kim;
    // The start is drawn: every move may be a capture.
    moves.push(leaps.at(-1) ?? legal.at(-1));
    await mover.play(id, moves.at(-1));
    await Promise.all([kim.waitForPly(moves.length), lea.waitForPly(moves.length)]);
  }
  const [premover, mover] = moves.length % 2 ? [kim, lea] : [lea, kim];
  await premover.clickCell(found.premove);
  await waitForStatus(premover, `Premove: ${found.premove}`);
  // A double can be extended: the premove requires the button.
  const playButton = statusButton(premover, `Play ${found.premove}`);
  if (await playButton.count()) await playButton.click();
  await waitForStatus(premover, "Played on your turn");
  await statusAfter(premover, `Premove ${found.premove} is no longer possible`, () =>
    mover.play(id, found.u),
  );
  await waitForStatus(premover, "Your move");
  assert.equal(await countPlies(premover), moves.length + 1);
  assertNoPageErrors([kim, lea]);
});

test("one question at a time: that of moves waits for the others", async () => {
  const [ida, jon, id] = await startGame({}, [PHONE, {}]);
  const { page } = ida;
  const question = page.locator(".confirmation-question");
  const moves = ["h5-g5", "a4-b4", "g5-f5", "b4-c4", "f5-g5"];
  await waitForStatus(ida, "Your move");
  for (const [ply, u] of moves.slice(0, 4).entries()) {
    await (ply % 2 ? jon : ida).play(id, u);
    await ida.waitForPly(ply + 1);
  }
  await page.tap(".game-actions >> text=Resign");
  await waitForStatus(ida, "Resign this game?");
  await ida.play(id, moves[4]);
  await ida.waitForPly(5);
  await waitForStatus(ida, "Resign this game?");
  assert.equal(await question.count(), 0, "it waits for an answer");
  await statusButton(ida, "Keep playing").tap();
  await question.waitFor();
  // A question asked later takes its place until the answer, as does an offer of the opponent.
  await page.tap(".game-actions >> text=Draw");
  await waitForStatus(ida, "Offer a draw?");
  assert.equal(await question.count(), 0);
  await statusButton(ida, "Keep playing").tap();
  await question.waitFor();
  await jon.post(`/api/board/game/${id}/draw/yes`, {});
  await question.waitFor({ state: "detached" });
  await jon.post(`/api/board/game/${id}/draw/no`, {});
  await question.locator(".btn:has-text('Yes')").tap();
  await question.waitFor({ state: "detached" });
  // An answer is final.
  await page.tap(".game-actions >> text=Resign");
  await statusButton(ida, "Keep playing").tap();
  await page.waitForFunction(
    () => !document.querySelector(".game-status").textContent.includes("Resign this game?"),
  );
  assert.equal(await question.count(), 0);
  assertNoPageErrors([ida, jon]);
});

test("touch devices ask after three moves whether to confirm", async () => {
  const [ida, jon, id] = await startGame({}, [PHONE, {}]);
  const question = ida.page.locator(".confirmation-question");
  const moves = ["h5-g5", "a4-b4", "g5-f5", "b4-c4", "f5-g5", "c4-b4"];
  await waitForStatus(ida, "Your move");
  for (const [ply, u] of moves.entries()) {
    assert.equal(await question.count(), ply > 4 ? 1 : 0, `before ply ${ply}`);
    if (ply % 2) await jon.play(id, u);
    else for (const cell of cellsOf(u)) await ida.clickCell(cell);
    for (const user of [ida, jon]) await user.waitForPly(ply + 1);
    if (ply === 4) await question.waitFor();
  }
  await screenshot(ida.page, "live-confirm-question-phone-light");
  await ida.page.setViewportSize({ width: 360, height: 640 });
  const [card, board] = await Promise.all(
    [question, ida.page.locator(".game-board")].map((element) => element.boundingBox()),
  );
  assert.ok(card.y >= board.y + board.height, "the question does not cover the board");
  await ida.page.setViewportSize(PHONE.viewport);
  await question.locator(".btn:has-text('Yes')").click();
  assert.equal(await question.count(), 0);
  for (const cell of ["g5", "f5"]) await ida.clickCell(cell);
  await waitForStatus(ida, "g5-f5?");
  await screenshot(ida.page, "live-confirm-phone-light");
  // A second tap on the target does not send the move.
  await ida.clickCell("f5");
  assert.equal(await countPlies(ida), moves.length);
  await statusButton(ida, "Clear").click();
  await waitForStatus(ida, "Tap a stone to step");
  for (const cell of ["g5", "f5"]) await ida.clickCell(cell);
  await statusButton(ida, "Confirm").click();
  for (const user of [ida, jon]) await user.waitForPly(7);
  await jon.page.click(".game-info .game-settings .btn");
  await jon.page.click("dialog .switch >> text=Confirm each move");
  await jon.page.keyboard.press("Escape");
  for (const cell of ["b4", "c4"]) await jon.clickCell(cell);
  await waitForStatus(jon, "b4-c4?");
  await screenshot(jon.page, "live-confirm-desktop-light");
  assert.equal(await countPlies(jon), 7);
  await jon.page.keyboard.press("Enter");
  for (const user of [ida, jon]) await user.waitForPly(8);
  await ida.page.reload();
  await ida.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  for (const cell of ["f5", "g5"]) await ida.clickCell(cell);
  await waitForStatus(ida, "f5-g5?");
  assert.equal(await question.count(), 0, "the answer is stored");
  assertNoPageErrors([ida, jon]);
});

test("five tabs of one player stay in sync, premove once", async () => {
  const [cid, dee, id] = await startGame({});
  const context = cid.page.context();
  const tabs = [cid];
  while (tabs.length < 5) {
    const page = await context.newPage();
    await page.goto(`${server.url}/${id}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    tabs.push(Object.assign(new User(), { page, server, errors: [] }));
  }
  await tabs[3].page.bringToFront();
  await tabs[3].move(["h5", "g5"], 1, [...tabs, dee]);
  // Two tabs set the same premove: one of them is sent.
  for (const tab of [tabs[1], tabs[3]]) {
    await tab.page.bringToFront();
    await tab.clickCell("g5");
    await tab.page.waitForSelector(".game-status .btn:has-text('Cancel')");
    await tab.clickCell("f5");
    await waitForStatus(tab, "Premove: g5-f5");
  }
  await dee.move(["a4", "b4"], 3, [dee]);
  for (const tab of [...tabs, dee]) await tab.waitForPly(3);
  for (const tab of [...tabs, dee]) assert.equal(await countPlies(tab), 3);
  assertNoPageErrors([cid, dee]);
});

test("click is kept if the opponent moves before the response", async () => {
  const [ann, bob] = await startGame({});
  await ann.move(["h5", "g5"], 1, [ann, bob]);
  await throttle(ann.page, 4);
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  await ann.page.route("**/api/position", async (route) => {
    await released;
    await route.continue();
  });
  const requestPromise = ann.page.waitForRequest("**/api/position");
  await ann.clickCell("g5");
  await requestPromise;
  await bob.move(["a4", "b4"], 2, [ann, bob]);
  release();
  await ann.page.waitForSelector("[data-cell=g5][aria-selected=true]", { state: "attached" });
  await ann.clickCell("f5");
  for (const user of [ann, bob]) await user.waitForPly(3);
  assertNoPageErrors([ann, bob]);
});

test("a rule stays for its full time when the page is busy", async () => {
  const [ann, bob] = await startGame({});
  await ann.page.evaluate(() => {
    window.note = {};
    const statusLine = document.querySelector(".game-status");
    new MutationObserver(() => {
      const { note } = window;
      if (!note.text && statusLine.textContent.includes("d4 is empty")) {
        note.text = statusLine.textContent;
        // Blocks for longer than a rule is shown, before it is painted.
        const end = performance.now() + 6000;
        while (performance.now() < end);
        requestAnimationFrame(() => {
          note.shownAt = performance.now();
        });
      } else if (note.text && statusLine.textContent !== note.text)
        note.goneAt ??= performance.now();
    }).observe(statusLine, { childList: true, subtree: true });
  });
  await ann.clickCell("d4");
  await ann.page.waitForFunction(() => window.note.shownAt && window.note.goneAt);
  const { text, shownAt, goneAt } = await ann.page.evaluate(() => window.note);
  assert.ok(goneAt - shownAt > 3900, `“${text}” was shown for ${Math.round(goneAt - shownAt)} ms`);
  await waitForStatus(ann, "Tap a stone to step");
  assertNoPageErrors([ann, bob]);
});

test("button press counts when a response arrives during the press", async () => {
  const record = recordedGames.find(({ name }) => name === "kopfOderKnopf-pass");
  const [first, second, id] = await startGame({ variant: "kopfOderKnopf", "options.target": "10" });
  // The move of ply 23 leaves penalties untaken and requires the button.
  for (const [ply, u] of record.moves.slice(0, 22).entries())
    await (ply % 2 ? second : first).play(id, u);
  await first.waitForPly(22);
  const { page } = first;
  await page.waitForSelector("[data-cell=j4].is-selectable", { state: "attached" });
  await throttle(page, 4);
  await first.clickCell("j4");
  let release;
  const released = new Promise((resolve) => {
    release = resolve;
  });
  // Delays the preview of the move until the button is pressed, as on a slow connection.
  await page.route("**/api/position", async (route) => {
    await released;
    await route.continue();
  });
  await first.clickCell("i3");
  const button = statusButton(first, "Play j4-i3");
  await button.waitFor();
  const box = await button.boundingBox();
  const requestPromise = page.waitForRequest("**/api/position");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await requestPromise;
  await page.mouse.down();
  const responsePromise = page.waitForResponse("**/api/position");
  release();
  await responsePromise.then((response) => response.finished());
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.mouse.up();
  for (const user of [first, second]) await user.waitForPly(23);
  assertNoPageErrors([first, second]);
});
