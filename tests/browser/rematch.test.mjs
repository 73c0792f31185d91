// Ready checks, canceled challenges and rematches: two players who agreed to play, and what each
// of them sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, User, startServerAndBrowser } from "./support/server.mjs";
import {
  REJECTED_REQUEST,
  cardSelector,
  playAndResign,
  submitChallenge,
} from "./support/challenges.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { waitForGame } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

/** Returns the labels of the main buttons of the result card. */
const mainButtons = ({ page }) => page.locator(".game-rematch .btn").allInnerTexts();

const openUsers = (...names) =>
  Promise.all(names.map((name) => User.open(browser, server, { name })));

test("accepting an absent creator's challenge starts a ready check", async () => {
  const [ann, bob, cleo] = await openUsers("ReadyAnn", "ReadyBob", "ReadyCleo");
  const id = await submitChallenge(ann, {});
  await bob.page.waitForSelector(cardSelector(id));
  await ann.page.goto("about:blank");
  const accept = async () => {
    await bob.page.click(`${cardSelector(id)} .btn:has-text('Accept')`);
    await bob.page.waitForSelector(`${cardSelector(id)} >> text=Waiting for ReadyAnn to confirm`);
  };
  await accept();
  assert.match(await bob.page.textContent(`${cardSelector(id)} [role=timer]`), /^0:[0-3]\d$/);
  await cleo.page.waitForSelector(`${cardSelector(id)}.is-unavailable >> text=Being accepted`);
  assert.equal(await cleo.page.locator(`${cardSelector(id)} button`).count(), 0);
  // The acceptor may cancel and the creator may decline: the challenge is open again.
  await bob.page.click(`${cardSelector(id)} >> text=Cancel`);
  await cleo.page.waitForSelector(`${cardSelector(id)}:not(.is-unavailable) >> text=Accept`);
  await accept();
  assert.equal((await ann.request(`/api/challenge/${id}/ready`, { answer: "no" })).status, 200);
  await bob.page.waitForSelector(`${cardSelector(id)} >> text=ReadyAnn cannot play just now`);
  await accept();
  const response = await ann.request(`/api/challenge/${id}/ready`, { answer: "yes" });
  assert.equal(response.body.id, id);
  await waitForGame(id, bob);
  // A challenge by link has the same ready check on both pages.
  const linked = await submitChallenge(ann, { recipient: "link" });
  await ann.page.goto("about:blank");
  await bob.page.goto(`${server.url}/${linked}`);
  await bob.page.click(".challenge-page .btn:text-is('Play')");
  await bob.page.waitForSelector(".challenge-page >> text=Waiting for ReadyAnn to confirm");
  await ann.page.goto(`${server.url}/${linked}`);
  await ann.page.click(".challenge-page .btn:has-text('Start')");
  await waitForGame(linked, ann, bob);
  assertNoErrors(server, [ann, bob, cleo], REJECTED_REQUEST);
});

test("viewers of a challenge see that its creator cancels it", async () => {
  const [ann, bob] = await openUsers("BackAnn", "BackBob");
  for (const recipient of ["list", "link", "open"]) {
    const id = await submitChallenge(ann, { recipient });
    await bob.page.goto(`${server.url}/${id}`);
    await bob.page.waitForSelector(
      ".challenge-page .challenge-page-actions .btn >> text=/^Play$|Take this seat/",
    );
    await ann.page.goto(`${server.url}/${id}`);
    await ann.page.click(".challenge-page .btn:has-text('Cancel')");
    // The page of two free seats does not reveal its creator to others.
    const others =
      recipient === "open" ? ["Play someone else"] : ["Challenge BackAnn", "Play someone else"];
    for (const [{ page }, buttons] of [
      [ann, ["Back to lobby"]],
      [bob, others],
    ]) {
      await page.waitForSelector(
        ".challenge-page [role=status] >> text=This challenge was canceled.",
      );
      // A busy page replaces the buttons later than the text.
      await page.waitForSelector(`.challenge-page .challenge-page-actions >> text=${buttons[0]}`);
      assert.deepEqual(
        await page.locator(".challenge-page .challenge-page-actions .btn").allInnerTexts(),
        buttons,
        recipient,
      );
    }
    await bob.page.reload();
    await bob.page.waitForSelector(".challenge-page >> text=This challenge was canceled.");
  }
  assertNoErrors(server, [ann, bob]);
});

test("a rematch can be declined or canceled and changes sides", async () => {
  const [ann, bob] = await openUsers("AgainAnn", "AgainBob");
  const id = await submitChallenge(ann, { side: "first", min: 1450 });
  await bob.page.click(`${cardSelector(id)} .btn:has-text('Accept')`);
  await waitForGame(id, ann, bob);
  await playAndResign(id, bob, ann);
  // Bob has won and is still within Ann's range; Ann offers a rematch.
  for (const { page } of [ann, bob]) await page.waitForSelector(".game-result .game-rematch");
  await ann.page.click(".game-result >> text=Rematch");
  await ann.page.waitForSelector(".game-result >> text=Waiting for AgainBob");
  await bob.page.waitForSelector(".game-result >> text=AgainAnn offers a rematch");
  await bob.page.click(".game-rematch .btn:has-text('No')");
  await ann.page.waitForSelector(".game-result >> text=would rather not play again");
  // Another opponent remains, and the player who has declined may offer a rematch.
  // A busy page replaces the buttons later than the text.
  await ann.page.waitForSelector(".game-rematch a.btn-primary");
  assert.deepEqual(await mainButtons(ann), ["New opponent", "Review"]);
  assert.equal(
    await ann.page.getAttribute(".game-rematch .btn-primary", "href"),
    "/find?variant=knightFight",
  );
  await bob.page.click(".game-rematch .btn:has-text('Rematch')");
  await bob.page.click(".game-rematch .btn:has-text('Cancel')");
  await bob.page.click(".game-rematch .btn:has-text('Rematch')");
  await ann.page.click(".game-rematch .btn:has-text('Accept')");
  await ann.page.waitForURL((url) => url.pathname !== `/${id}`);
  const next = new URL(ann.page.url()).pathname.slice(1);
  await waitForGame(next, ann, bob);
  assert.deepEqual(
    [
      (await ann.request(`/api/game/${next}`)).body.you,
      (await bob.request(`/api/game/${next}`)).body.you,
    ],
    ["second", "first"],
  );
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});

/**
 * Plays a rated game with the range 1450–1700 that Bob loses, so that his rating is below it;
 * returns the id and the rating.
 */
const playOutOfRange = async (ann, bob, clock = { days: 3 }) => {
  const { id } = await ann.post("/api/challenge", {
    variant: "knightFight",
    rated: true,
    color: "first",
    ratingRange: "1450-1700",
    ...clock,
  });
  await bob.request(`/api/challenge/${id}/accept`, {});
  for (const { page } of [ann, bob]) await page.goto(`${server.url}/${id}`);
  await waitForGame(id, ann, bob);
  await playAndResign(id, ann, bob);
  return { id, rating: await bob.rating("knightFight") };
};

test("a creator widens the range for one rematch", async () => {
  const [ann, bob] = await openUsers("WideAda", "WideBen");
  const { id, rating } = await playOutOfRange(ann, bob);
  assert.ok(rating < 1450, `${rating}`);
  // Neither sees a button that leads nowhere.
  await ann.page.waitForSelector(
    `.game-result >> text=WideBen is now ${rating}, outside your 1450–1700.`,
  );
  assert.deepEqual(await mainButtons(ann), ["Play anyway", "Casual rematch", "New opponent"]);
  await bob.page.waitForSelector(".game-result >> text=WideAda's range is 1450–1700.");
  assert.deepEqual(await mainButtons(bob), ["Ask WideAda", "New opponent", "Review"]);
  const rejected = await bob.request(`/api/board/game/${id}/rematch/yes`, {});
  assert.deepEqual(
    [rejected.status, rejected.body.reason, rejected.body.rating],
    [403, "ratingTooLow", rating],
  );
  await ann.page.click(".game-rematch .btn:has-text('Play anyway'):not(.is-held)");
  await bob.page.waitForSelector(".game-result >> text=WideAda offers a rematch");
  await bob.page.click(".game-rematch .btn:has-text('Accept'):not(.is-held)");
  await bob.page.waitForURL(({ pathname }) => pathname !== `/${id}`);
  const next = new URL(bob.page.url()).pathname.slice(1);
  await waitForGame(next, ann, bob);
  await ann.resign(next);
  // The range is back.
  await bob.page.waitForSelector(".game-result >> text=WideAda's range is 1450–1700.");
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});

test("a player outside the range asks its creator", async () => {
  const [ann, bob] = await openUsers("AskedAda", "AskedBen");
  const { id, rating } = await playOutOfRange(ann, bob);
  await bob.page.click(".game-rematch .btn:has-text('Ask AskedAda'):not(.is-held)");
  await bob.page.waitForSelector(".game-result >> text=Waiting for AskedAda");
  await ann.page.waitForSelector(`.game-result >> text=AskedBen asks for a rematch: now ${rating}`);
  assert.deepEqual(await mainButtons(ann), ["Play anyway", "Casual rematch", "No"]);
  assert.equal((await ann.request(`/api/board/game/${id}/rematch/yes`, {})).status, 403);
  await ann.page.click(".game-rematch .btn:has-text('Play anyway'):not(.is-held)");
  for (const { page } of [ann, bob]) await page.waitForURL(({ pathname }) => pathname !== `/${id}`);
  await waitForGame(new URL(bob.page.url()).pathname.slice(1), ann, bob);
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});

test("an offer ends when its creator leaves or begins another game", async () => {
  const ownServer = await Server.start("--rematch-absence-ms", "1000");
  try {
    const [ann, bob] = await Promise.all(
      ["GoneAnn", "GoneBob"].map((name) => User.open(browser, ownServer, { name }, null)),
    );
    const cleo = await User.open(browser, ownServer, { name: "GoneCleo" }, null);
    const fields = { rated: false, "clock.limit": 600 };
    const id = await ann.startGame(bob, "hogga", fields);
    for (const { page } of [ann, bob]) await page.goto(`${ownServer.url}/${id}`);
    await waitForGame(id, ann, bob);
    await ann.resign(id);
    await ann.page.click(".game-rematch .btn:has-text('Rematch'):not(.is-held)");
    await bob.page.waitForSelector(".game-result >> text=GoneAnn offers a rematch");
    await ann.page.goto("about:blank");
    await bob.page.waitForSelector(".game-result >> text=GoneAnn has left.");
    const offer = async () => {
      await bob.page.click(".game-rematch .btn:has-text('Rematch'):not(.is-held)");
      await bob.page.waitForSelector(".game-result >> text=Waiting for GoneAnn");
      await ann.page.waitForSelector(".game-result >> text=GoneBob offers a rematch");
    };
    await ann.page.goto(`${ownServer.url}/${id}`);
    await ann.page.waitForSelector(".game-result");
    await offer();
    const own = await cleo.startGame(bob, "hogga", fields);
    // The page goes to the new game by itself, and would do so after the visit below.
    await waitForGame(own, bob);
    await ann.page.waitForSelector(".game-result >> text=GoneBob has begun another game.");
    await bob.resign(own);
    await bob.visit(`/${id}`, ".game-result");
    // An offer of before does not lie over another game.
    await offer();
    const other = await cleo.startGame(ann, "hogga", fields);
    await ann.visit(`/${other}`, ".board-svg");
    await waitForGame(other, ann);
    await bob.page.waitForSelector(".game-result >> text=GoneAnn has begun another game.");
    assert.equal(await ann.page.locator(".notice").count(), 0);
    assertNoErrors(ownServer, [ann, bob, cleo]);
  } finally {
    await ownServer.stop();
  }
});
