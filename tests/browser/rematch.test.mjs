// Ready checks, withdrawn challenges and rematches: two players who agreed to play, and what each
// of them sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import {
  REJECTED_REQUEST,
  cardSelector,
  playAndResign,
  submitChallenge,
} from "./support/challenges.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { waitForGame } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...names) =>
  Promise.all(names.map((name) => User.open(browser, server, { name })));

test("accepting an absent creator's challenge starts a ready check", async () => {
  const [ann, bob, cleo] = await openUsers("ReadyAnn", "ReadyBob", "ReadyCleo");
  const id = await submitChallenge(ann, {});
  await bob.page.waitForSelector(cardSelector(id));
  await ann.page.goto("about:blank");
  const accept = async () => {
    await bob.page.click(`${cardSelector(id)} >> text=Accept`);
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
  await bob.page.click(".challenge-page .btn:has-text('Accept')");
  await bob.page.waitForSelector(".challenge-page >> text=Waiting for ReadyAnn to confirm");
  await ann.page.goto(`${server.url}/${linked}`);
  await ann.page.click(".challenge-page .btn:has-text('Start')");
  await waitForGame(linked, ann, bob);
  assertNoErrors(server, [ann, bob, cleo], REJECTED_REQUEST);
});

test("viewers of a challenge see that its creator withdraws it", async () => {
  const [ann, bob] = await openUsers("BackAnn", "BackBob");
  for (const recipient of ["list", "link", "open"]) {
    const id = await submitChallenge(ann, { recipient });
    await bob.page.goto(`${server.url}/${id}`);
    await bob.page.waitForSelector(
      ".challenge-page .challenge-page-actions .btn >> text=/Accept|Take this seat/",
    );
    // The page of two free seats does not reveal its creator, who withdraws them in the lobby.
    await ann.page.goto(`${server.url}/${recipient === "open" ? "lobby" : id}`);
    await ann.page.click(
      `${recipient === "open" ? cardSelector(id) : ".challenge-page"} .btn:has-text('Cancel')`,
    );
    for (const { page } of recipient === "open" ? [bob] : [ann, bob]) {
      await page.waitForSelector(
        ".challenge-page [role=status] >> text=This challenge was canceled.",
      );
      assert.deepEqual(
        await page.locator(".challenge-page .challenge-page-actions .btn").allInnerTexts(),
        ["Back to lobby"],
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
  await bob.page.click(`${cardSelector(id)} >> text=Accept`);
  await waitForGame(id, ann, bob);
  await playAndResign(id, bob, ann);
  // Bob has won and is still within Ann's range; Ann offers a rematch.
  for (const { page } of [ann, bob]) await page.waitForSelector(".game-result .game-rematch");
  await ann.page.click(".game-result >> text=Rematch");
  await ann.page.waitForSelector(".game-result >> text=Waiting for AgainBob");
  await bob.page.waitForSelector(".game-result >> text=AgainAnn offers a rematch");
  await bob.page.click(".game-rematch .btn:has-text('No')");
  await ann.page.waitForSelector(".game-result >> text=would rather not play again");
  await ann.page.click(".game-result >> text=Rematch");
  await ann.page.click(".game-rematch .btn:has-text('Cancel')");
  await ann.page.click(".game-result >> text=Rematch");
  await bob.page.click(".game-rematch .btn:has-text('Accept')");
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

test("the rating range of a game also applies to its rematch", async () => {
  const [ann, bob] = await openUsers("AgainAda", "AgainBen");
  const id = await submitChallenge(ann, { side: "first", min: 1450 });
  await bob.page.click(`${cardSelector(id)} >> text=Accept`);
  await waitForGame(id, ann, bob);
  await playAndResign(id, ann, bob);
  const rating = await bob.rating("knightFight");
  assert.ok(rating < 1450, `${rating}`);
  await ann.page.click(".game-result >> text=Rematch");
  await bob.page.waitForSelector(`.game-result >> text=Your rating ${rating} is below 1450`);
  assert.equal(await bob.page.locator(".game-rematch .btn:has-text('Accept')").count(), 0);
  const rejected = await bob.request(`/api/board/game/${id}/rematch/yes`, {});
  assert.deepEqual(
    [rejected.status, rejected.body.reason, rejected.body.rating],
    [403, "ratingTooLow", rating],
  );
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});
