// Ready checks, withdrawn challenges and rematches: two players who agreed to play, and what each
// of them sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { REFUSED, card, giveUp, post } from "./support/challenges.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { meet } from "./support/game.mjs";

const { server, browser } = await house();

const people = (...names) =>
  Promise.all(names.map((name) => Person.open(browser, server, { name })));

test("accepting an absent creator's challenge starts a ready check", async () => {
  const [ann, bob, cleo] = await people("ReadyAnn", "ReadyBob", "ReadyCleo");
  const id = await post(ann, {});
  await bob.page.waitForSelector(card(id));
  await ann.page.goto("about:blank");
  const accept = async () => {
    await bob.page.click(`${card(id)} >> text=Accept`);
    await bob.page.waitForSelector(`${card(id)} >> text=Waiting for ReadyAnn to confirm`);
  };
  await accept();
  assert.match(await bob.page.textContent(`${card(id)} [role=timer]`), /^0:[0-3]\d$/);
  await cleo.page.waitForSelector(`${card(id)}.is-unavailable >> text=Being accepted`);
  assert.equal(await cleo.page.locator(`${card(id)} button`).count(), 0);
  // The acceptor may cancel and the creator may decline: the challenge is open again.
  await bob.page.click(`${card(id)} >> text=Cancel`);
  await cleo.page.waitForSelector(`${card(id)}:not(.is-unavailable) >> text=Accept`);
  await accept();
  assert.equal((await ann.ask(`/api/challenge/${id}/ready`, { answer: "no" })).status, 200);
  await bob.page.waitForSelector(`${card(id)} >> text=ReadyAnn cannot play just now`);
  await accept();
  const begun = await ann.ask(`/api/challenge/${id}/ready`, { answer: "yes" });
  assert.equal(begun.body.id, id);
  await meet(id, bob);
  // A challenge by link has the same ready check on both pages.
  const linked = await post(ann, { road: "link" });
  await ann.page.goto("about:blank");
  await bob.page.goto(`${server.url}/${linked}`);
  await bob.page.click(".challenge-page .btn:has-text('Accept')");
  await bob.page.waitForSelector(".challenge-page >> text=Waiting for ReadyAnn to confirm");
  await ann.page.goto(`${server.url}/${linked}`);
  await ann.page.click(".challenge-page .btn:has-text('Start')");
  await meet(linked, ann, bob);
  wasQuiet(server, [ann, bob, cleo], REFUSED);
});

test("viewers of a challenge see that its creator withdraws it", async () => {
  const [ann, bob] = await people("BackAnn", "BackBob");
  for (const road of ["list", "link", "open"]) {
    const id = await post(ann, { road });
    await bob.page.goto(`${server.url}/${id}`);
    await bob.page.waitForSelector(
      ".challenge-page .challenge-page-actions .btn >> text=/Accept|Take this seat/",
    );
    // The page of two free seats does not reveal its creator, who withdraws them in the lobby.
    await ann.page.goto(`${server.url}/${road === "open" ? "lobby" : id}`);
    await ann.page.click(
      `${road === "open" ? card(id) : ".challenge-page"} .btn:has-text('Cancel')`,
    );
    for (const { page } of road === "open" ? [bob] : [ann, bob]) {
      await page.waitForSelector(
        ".challenge-page [role=status] >> text=This challenge was canceled.",
      );
      assert.deepEqual(
        await page.locator(".challenge-page .challenge-page-actions .btn").allInnerTexts(),
        ["Back to lobby"],
        road,
      );
    }
    await bob.page.reload();
    await bob.page.waitForSelector(".challenge-page >> text=This challenge was canceled.");
  }
  wasQuiet(server, [ann, bob]);
});

test("a rematch can be declined, withdrawn or accepted and changes sides", async () => {
  const [ann, bob] = await people("AgainAnn", "AgainBob");
  const id = await post(ann, { side: "first", min: 1450 });
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, ann, bob);
  await giveUp(id, bob, ann);
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
  await meet(next, ann, bob);
  assert.deepEqual(
    [(await ann.ask(`/api/game/${next}`)).body.you, (await bob.ask(`/api/game/${next}`)).body.you],
    ["second", "first"],
  );
  wasQuiet(server, [ann, bob], REFUSED);
});

test("the rating range of a game also applies to its rematch", async () => {
  const [ann, bob] = await people("AgainAda", "AgainBen");
  const id = await post(ann, { side: "first", min: 1450 });
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, ann, bob);
  await giveUp(id, ann, bob);
  const low = await bob.rating("knightFight");
  assert.ok(low < 1450, `${low}`);
  await ann.page.click(".game-result >> text=Rematch");
  await bob.page.waitForSelector(`.game-result >> text=Your rating ${low} is below 1450`);
  assert.equal(await bob.page.locator(".game-rematch .btn:has-text('Accept')").count(), 0);
  const refused = await bob.ask(`/api/board/game/${id}/rematch/yes`, {});
  assert.deepEqual(
    [refused.status, refused.body.reason, refused.body.rating],
    [403, "ratingTooLow", low],
  );
  wasQuiet(server, [ann, bob], REFUSED);
});
