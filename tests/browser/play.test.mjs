// Complete games, from the challenge to the result, in real browsers against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, Server, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { assertNoPageErrors, assertNoErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE } from "./support/viewports.mjs";
import { endMove, statusAfter, waitForGame } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...options) =>
  Promise.all(options.map((option) => User.open(browser, server, option)));

test("a Knight Fight with a rating range is played to its end", async () => {
  const [ann, bob, eve, dan] = await openUsers({}, PHONE, {}, { name: "Dan" });
  await Promise.all([ann.signUp("Ann"), bob.signUp("Bob")]);

  // Dan loses a game first, so that his rating is below the range.
  const ratedGame = await ann.startGame(dan, "knightFight", { ...CLOCK, rated: true });
  for (const user of [ann, dan]) {
    await user.page.waitForURL(`${server.url}/${ratedGame}`);
    await user.play(ratedGame);
  }
  await dan.resign(ratedGame);
  const rating = await dan.rating("knightFight");
  await dan.page.goto(server.url);
  assert.ok(rating < 1400, `${rating}`);

  // Cleo, who has no games, posts the challenge with the form.
  const [cleo] = await openUsers({ name: "Cleo" });
  const { page } = cleo;
  await cleo.scrollToChallengeForm();
  await page.click(".game-choice [data-value=knightFight]");
  await page.click(".segmented [data-value='3+2']");
  await page.click(".segmented [data-value=fixed]");
  await page.fill("input[aria-label='Lowest rating']", "1700");
  await page.fill("input[aria-label='Highest rating']", "1600");
  assert.match(await page.textContent("#range-wrong"), /above the highest/);
  await page.fill("input[aria-label='Lowest rating']", "1400");
  await page.click("form.challenge-form summary");
  await page.click(".segmented [data-value=first]");
  await page.click("text=Post the challenge");
  const card = `.challenge-card:has-text("Cleo")`;
  await page.waitForSelector(`${card} >> text=Cancel`);

  await dan.page.waitForSelector(`${card}.is-unavailable`);
  assert.match(
    await dan.page.textContent(`${card} .challenge-card-reason`),
    new RegExp(`Your rating ${rating} is below 1400`),
  );
  assert.equal(await dan.page.$(`${card} button`), null, "an ineligible challenge has no buttons");
  const id = await page.getAttribute(card, "data-id");
  const rejected = await dan.request(`/api/challenge/${id}/accept`, {});
  assert.deepEqual(
    [rejected.status, rejected.body.reason, rejected.body.rating],
    [403, "ratingTooLow", rating],
  );

  await bob.page.click(`${card} .btn:has-text('Accept')`);
  await Promise.all([
    page.waitForURL(`${server.url}/${id}`),
    bob.page.waitForURL(`${server.url}/${id}`),
  ]);
  await eve.page.goto(`${server.url}/${id}`);
  const users = [cleo, bob, eve];
  for (const user of users)
    await user.page.waitForSelector(".board-svg.is-interactive rect.board-cell");

  let ply = 0;
  while ((await page.$(".game-result")) === null) {
    const mover = ply % 2 === 0 ? cleo : bob;
    await mover.page.waitForFunction(
      () =>
        document.querySelector("rect.board-cell.is-selectable") ||
        document.querySelector(".game-result"),
    );
    if (await mover.page.$(".game-result")) break;
    const offered = await mover.selectableCells();
    const to = offered[Math.floor(offered.length / 2)];
    await mover.clickCell(to);
    ply += 1;
    await endMove(mover, ply);
    for (const user of users)
      await user.page.waitForSelector(`.game-moves button[data-ply="${ply}"]`, {
        state: "attached",
      });
  }
  assert.ok(ply >= 2, `${ply} plies`);
  for (const user of users) await user.page.waitForSelector(".game-result");
  const texts = await Promise.all(
    users.map((user) =>
      user.page.$$eval(".game-moves button", (buttons) =>
        buttons.map((button) => button.textContent),
      ),
    ),
  );
  assert.deepEqual(texts[0], texts[1]);
  assert.deepEqual(texts[0], texts[2]);
  const titles = await Promise.all(users.map((user) => user.page.textContent(".game-result h2")));
  const { end } = (await eve.request(`/api/game/${id}`)).body;
  assert.equal(end.status, "variantEnd");
  if (end.winner) {
    const titlesByWinner = {
      first: ["You won", "You lost", "White won"],
      second: ["You lost", "You won", "Black won"],
    };
    assert.deepEqual(titles, titlesByWinner[end.winner]);
    assert.notEqual(await cleo.rating("knightFight"), 1500);
    assert.match(
      await page.textContent(".game-result"),
      new RegExp(`${await cleo.rating("knightFight")}\\? \\(was 1500\\)\\. Still settling`),
    );
  } else assert.deepEqual(titles, ["Drawn", "Drawn", "Drawn"]);
  assert.equal(await cleo.rating("knightFight"), 1500 + end.ratingDiff.first);
  assertNoErrors(server, [ann, bob, cleo, eve, dan]);
});

test("a Caterpillar War ends by resignation", async () => {
  const [flo, gus, hal] = await openUsers(
    { name: "Flo" },
    { name: "Gus", colorScheme: "dark", viewport: PHONE.viewport },
    {},
  );
  await flo.scrollToChallengeForm();
  await flo.page.click(".game-choice [data-value=caterpillarWar]");
  await flo.page.click("form.challenge-form summary");
  await flo.page.click(".segmented [data-value=first]");
  await flo.page.click("text=Post the challenge");
  await gus.page.click(`.challenge-card:has-text("Flo") .btn:has-text('Accept')`);
  await flo.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await gus.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const id = new URL(flo.page.url()).pathname.slice(1);
  await hal.page.goto(`${server.url}/${id}`);
  await hal.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const users = [flo, gus, hal];
  await flo.move(["h5", "d1", "d5"], 1, users);
  await gus.move(["a4", "d7", "d4"], 2, users);
  // Two clicks, of which one is undone, an illegal one, and then another path.
  await flo.clickCell("h1");
  await flo.clickCell("d1");
  await flo.page.keyboard.press("Escape");
  await statusAfter(flo, "a8 can't be the tower", () => flo.clickCell("a8"));
  await flo.move(["d1", "d5"], 3, users);
  await gus.page.click("text=Resign");
  await gus.page.click(".game-status .btn:has-text('Keep playing')");
  await flo.page.focus(".chat-panel input");
  await gus.page.click("text=Resign");
  await gus.page.click(".game-status .btn:has-text('Resign')");
  for (const user of users) await user.page.waitForSelector(".game-result");
  // The panel under the result is inert; the focus moves to the result unless it is in the chat.
  const inertStates = ({ page }) =>
    page.$$eval(".game-panel > :not(.game-result)", (parts) => parts.map(({ inert }) => inert));
  for (const user of users)
    assert.ok((await inertStates(user)).length > 3 && (await inertStates(user)).every(Boolean));
  assert.equal(await gus.page.evaluate(() => document.activeElement.className), "game-result");
  assert.equal(
    await flo.page.evaluate(() => document.activeElement.closest(".chat-panel") !== null),
    true,
  );
  assert.equal(await flo.page.textContent(".game-result h2"), "You won");
  assert.equal(await gus.page.textContent(".game-result h2"), "You lost");
  assert.equal(await hal.page.textContent(".game-result h2"), "White won");
  assert.equal(await flo.rating("caterpillarWar"), 1500);
  assert.ok((await gus.rating("caterpillarWar")) < 1500);
  assert.match(
    await flo.page.textContent(".game-result-rating"),
    /^1500\?, unchanged\. A game ended so early gives no points\.$/,
  );
  // The finished game can be replayed move by move.
  await hal.page.click(".game-result-close");
  assert.deepEqual(await inertStates(hal), [false, false, false, false]);
  await hal.page.keyboard.press("Home");
  await hal.page.waitForSelector(".game-status >> text=Move 0 of 3");
  assertNoErrors(server, users);
});

test("draw offers, chat, flip and abort work in a game", async () => {
  const [ida, jon] = await openUsers({}, {});
  const response = await ida.request("/api/challenge", {
    variant: "caterpillarWar",
    color: "first",
  });
  await jon.page.goto(`${server.url}/${response.body.id}`);
  await jon.page.click(".challenge-page .btn:text-is('Play')");
  await waitForGame(response.body.id, ida, jon);
  await statusAfter(ida, "after both have moved", () =>
    ida.page.click(".game-actions >> text=Draw", { force: true }),
  );
  await ida.move(["h5", "g5"], 1, [ida, jon]);
  await jon.move(["a4", "b4"], 2, [ida, jon]);
  await ida.page.fill(".chat-panel input", "<img src=x onerror=alert(1)> good luck");
  await ida.page.press(".chat-panel input", "Enter");
  await jon.page.waitForSelector(".chat-panel li >> text=<img src=x onerror=alert(1)> good luck");
  await jon.page.setViewportSize(PHONE.viewport);
  await jon.page.click(".chat-button");
  await jon.page.waitForSelector(".game-layout-left.is-chat-open .chat-panel input:focus");
  await jon.page.keyboard.press("Escape");
  await jon.page.waitForSelector(".game-layout-left:not(.is-chat-open)", { state: "attached" });
  await jon.page.setViewportSize(DESKTOP.viewport);
  await jon.page.click(".game-actions >> text=Flip");
  const first = await jon.page.locator("[data-cell=a1]").boundingBox();
  const last = await jon.page.locator("[data-cell=h8]").boundingBox();
  assert.ok(first.y > last.y, "White's side is below after Black has flipped");
  await ida.page.click(".game-actions >> text=Draw");
  await ida.page.click(".game-status .btn:has-text('Offer')");
  await jon.page.waitForSelector(".game-status >> text=offers a draw");
  await jon.page.click(".game-status .btn:has-text('Accept')");
  for (const user of [ida, jon])
    await user.page.waitForSelector(".game-result >> text=by agreement");
  await waitForGame(await ida.startGame(jon, "knightFight"), ida);
  await ida.page.click(".game-actions >> text=Abort");
  await ida.page.click(".game-status .btn:has-text('Abort')");
  await ida.page.waitForSelector(".game-result >> text=Aborted");
  assertNoErrors(server, [ida, jon]);
});

test("after a server crash both players continue without a reload", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const [kim, lea] = await Promise.all([
    User.open(browser, ownServer),
    User.open(browser, ownServer),
  ]);
  await waitForGame(await kim.startGame(lea, "caterpillarWar", CLOCK), kim, lea);
  for (const { page } of [kim, lea]) {
    await page.evaluate(() => {
      window.same = true;
    });
  }
  await kim.move(["h5", "g5"], 1, [kim, lea]);
  await ownServer.kill();
  // A move made during the outage is marked as unsent and sent on reconnection.
  for (const cell of ["a4", "b4"]) await lea.clickCell(cell);
  await lea.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await lea.page.waitForSelector(".connection-banner");
  await ownServer.startProcess();
  for (const user of [kim, lea]) await user.waitForPly(2);
  await kim.move(["g5", "f5"], 3, [kim, lea]);
  for (const user of [kim, lea]) {
    assert.equal(await user.page.evaluate(() => window.same), true, "the page was reloaded");
    await user.page.waitForSelector(".connection-banner", { state: "detached" });
    assertNoPageErrors([user]);
  }
  assert.equal(await ownServer.kill("SIGTERM"), 0, "a graceful stop ends with 0");
});
