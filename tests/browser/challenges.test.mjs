// Challenges: list, named opponent, link, open seats, several variants and clocks, correspondence.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, Server, startServerAndBrowser } from "./support/server.mjs";
import {
  REJECTED_REQUEST,
  lowerRating,
  cardSelector,
  submitChallenge,
} from "./support/challenges.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { waitForGame } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...names) =>
  Promise.all(names.map((name) => User.open(browser, server, { name })));

test("rating range is enforced for every challenge type", async () => {
  const [ann, dan] = await openUsers("RoadAnn", "RoadDan");
  const rating = await lowerRating(ann, dan);
  const reason = `Your rating ${rating} is below 1450`;
  const assertRejected = async (id, body = {}) => {
    const response = await dan.request(`/api/challenge/${id}/accept`, body);
    assert.deepEqual(
      [response.status, response.body.reason, response.body.rating],
      [403, "ratingTooLow", rating],
    );
  };
  await dan.page.goto(server.url);
  const posted = await submitChallenge(ann, { min: 1450 });
  // The form asks for no range if the player is named, the API does.
  const terms = { variant: "knightFight", rated: true, "clock.limit": 300, "clock.increment": 3 };
  const direct = await ann.request("/api/challenge/RoadDan", { ...terms, ratingRange: "1450-" });
  for (const id of [posted, direct.body.id]) {
    await dan.page.waitForSelector(`${cardSelector(id)}.is-unavailable >> text=${reason}`);
    assert.equal(await dan.page.locator(`${cardSelector(id)} >> text=Accept`).count(), 0);
    await assertRejected(id);
  }
  for (const recipient of ["link", "open"]) {
    const id = await submitChallenge(ann, { recipient, min: 1450 });
    await dan.page.goto(`${server.url}/${id}`);
    await dan.page.waitForSelector(`.challenge-page >> text=${reason}`);
    assert.equal(
      await dan.page
        .locator(
          ".challenge-page .btn:has-text('Accept'), .challenge-page .btn:has-text('Take this seat')",
        )
        .count(),
      0,
    );
    await assertRejected(id, recipient === "open" ? { color: "first" } : {});
  }
  assertNoErrors(server, [ann, dan], REJECTED_REQUEST);
});

test("named player is suggested, decline reason is shown", async () => {
  const [ann, bob, eve] = await openUsers("NamedAnn", "NamedBob", "NamedEve");
  await ann.page.goto(`${server.url}/lobby?to=NamedBob`);
  const form = ann.page.locator(".lobby form.challenge-form");
  assert.equal(await form.locator("[name=opponent]").inputValue(), "NamedBob");
  await form.locator("[name=opponent]").fill("");
  await form.locator("[name=opponent]").pressSequentially("namedb");
  await ann.page.waitForSelector("datalist option[value=NamedBob]", { state: "attached" });
  const listed = await submitChallenge(eve, {});
  const id = await submitChallenge(ann, { recipient: "named", name: "NamedBob" });
  await bob.page.waitForSelector(cardSelector(listed));
  await bob.page.waitForSelector(`${cardSelector(id)} >> text=For you`);
  assert.equal(
    await bob.page.getAttribute(".challenge-list > :first-child", "data-id"),
    id,
    "a challenge to the viewer comes first",
  );
  assert.equal(await eve.page.locator(cardSelector(id)).count(), 0);
  const stranger = await eve.request(`/api/challenge/${id}/accept`, {});
  assert.deepEqual([stranger.status, stranger.body.reason], [403, "notForYou"]);
  await bob.page.click(`${cardSelector(id)} >> text=Decline`);
  await bob.page.click(".dialog [data-reason=later]");
  await ann.page.waitForSelector(`${cardSelector(id)} >> text=please ask again later`);
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".challenge-page >> text=NamedBob declined");
  // A challenge to an unknown name is refused.
  await ann.page.goto(server.url);
  await ann.scrollToChallengeForm();
  await form.locator(".segmented [data-value=named]").click();
  await form.locator("[name=opponent]").fill("Nobody-here");
  await form.locator("button[type=submit]").click();
  await ann.page.waitForSelector("text=There is no player called Nobody-here");
  // A list under the pointer does not change: moves the pointer away.
  await bob.page.mouse.move(0, 0);
  const next = await submitChallenge(ann, { recipient: "named", name: "NamedBob" });
  await bob.page.click(`${cardSelector(next)} .btn:has-text('Accept')`);
  await waitForGame(next, ann, bob);
  assertNoErrors(server, [ann, bob, eve], REJECTED_REQUEST);
});

test("link challenge is not listed, and its link joins the game", async () => {
  const [ann, bob] = await openUsers("LinkAnn", "LinkBob");
  const id = await submitChallenge(ann, { recipient: "link" });
  assert.match(
    await ann.page.inputValue(".challenge-page .share-link input"),
    new RegExp(`/${id}$`),
  );
  const { challenges } = (await bob.request("/api/lobby")).body;
  assert.ok(!challenges.some((challenge) => challenge.id === id));
  await bob.page.goto(`${server.url}/${id}`);
  await bob.page.click(".challenge-page .btn:text-is('Play')");
  await waitForGame(id, ann, bob);
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});

test("seats of an open challenge are taken by separate links", async () => {
  const [ann, bob, cleo] = await openUsers("OpenAnn", "OpenBob", "OpenCleo");
  const id = await submitChallenge(ann, { recipient: "open" });
  const links = await ann.page
    .locator(".challenge-page .challenge-seat .share-link input")
    .evaluateAll((inputs) => inputs.map(({ value }) => value));
  assert.equal(new Set(links).size, 2);
  await bob.page.goto(links[0]);
  await bob.page.waitForSelector(".challenge-page [data-seat=first]");
  assert.equal(
    await bob.page.locator(".challenge-page .btn:has-text('Take this seat')").count(),
    1,
    "a link is for one seat",
  );
  await bob.page.click(".challenge-page [data-seat=first]");
  await bob.page.waitForSelector(".challenge-page >> text=Waiting for the other player");
  await ann.page.waitForSelector(".challenge-page .challenge-seat >> text=OpenBob");
  await cleo.page.goto(links[1]);
  await cleo.page.click(".challenge-page [data-seat=second]");
  await waitForGame(id, ann, bob, cleo);
  assert.deepEqual(
    [
      (await bob.request(`/api/game/${id}`)).body.you,
      (await cleo.request(`/api/game/${id}`)).body.you,
    ],
    ["first", "second"],
  );
  assertNoErrors(server, [ann, bob, cleo], REJECTED_REQUEST);
});

test("acceptor chooses among the permitted variants and clocks", async () => {
  const [ann, dan] = await openUsers("ManyAnn", "ManyDan");
  const rating = await lowerRating(ann, dan);
  await dan.page.goto(server.url);
  const id = await submitChallenge(ann, {
    games: ["knightFight", "hogga"],
    times: ["5+3", "10+5"],
    min: 1450,
  });
  await dan.page.waitForSelector(`${cardSelector(id)} .challenge-card-chip >> nth=3`);
  const direct = await dan.request(`/api/challenge/${id}/accept`, {
    variant: "knightFight",
    clock: "300+3",
  });
  assert.deepEqual([direct.status, direct.body.reason], [403, "ratingTooLow"]);
  const invalid = await dan.request(`/api/challenge/${id}/accept`, {
    variant: "wieNietWegIs",
    clock: "300+3",
  });
  assert.deepEqual([invalid.status, invalid.body.reason], [400, "badChoice"]);
  await dan.page.click(`${cardSelector(id)} .btn:has-text('Accept')`);
  await dan.page.waitForSelector(
    `.dialog .option-list-item.is-unavailable >> text=Your rating ${rating} is below 1450`,
  );
  assert.equal(
    await dan.page.locator(".dialog .option-list [data-value=knightFight]").count(),
    0,
    "a variant outside the rating range is not offered",
  );
  await dan.page.click(".dialog [data-value='600+5']");
  await dan.page.click(".dialog .btn:has-text('Accept')");
  await waitForGame(id, ann, dan);
  const { variant, clock } = (await dan.request(`/api/game/${id}`)).body;
  assert.deepEqual([variant.key, clock.initial, clock.increment], ["hogga", 600000, 5000]);
  assertNoErrors(server, [ann, dan], REJECTED_REQUEST);
});

test("correspondence game is listed with the turn marked", async () => {
  const [ann, bob] = await openUsers("DaysAnn", "DaysBob");
  const id = await submitChallenge(ann, { times: ["days"], days: 3, side: "first" });
  await bob.page.waitForSelector(`${cardSelector(id)} >> text=3 days a move`);
  await bob.page.click(`${cardSelector(id)} .btn:has-text('Accept')`);
  await waitForGame(id, bob);
  const gameSelector = `.my-games [data-id="${id}"]`;
  await ann.page.waitForSelector(`${gameSelector}.is-my-turn >> text=DaysBob`);
  assert.match(await ann.page.textContent(gameSelector), /Your move/);
  assert.match(await ann.page.textContent(gameSelector), /\d d/);
  await bob.page.goto(server.url);
  await bob.page.waitForSelector(`${gameSelector}:not(.is-my-turn)`);
  await ann.page.click(`${gameSelector} a`);
  await waitForGame(id, ann);
  assert.match(await ann.page.textContent(".game-player.is-bottom .game-clock"), /^\d d( \d+ h)?$/);
  await ann.play(id);
  await ann.waitForPly(1);
  await bob.page.waitForSelector(`${gameSelector}.is-my-turn`);
  assertNoErrors(server, [ann, bob], REJECTED_REQUEST);
});

/** Returns the id of the list item with keyboard focus. */
const focusedId = ({ page }) =>
  page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id);

test("keyboard focus stays in place when lists change", async (context) => {
  // Challenges of other tests would keep this list from being empty.
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const [ann, bob] = await Promise.all(
    ["KeysAnn", "KeysBob"].map((name) => User.open(browser, ownServer, { name }, null)),
  );
  const days = { days: 3 };
  const [id, other] = [
    await bob.startGame(ann, "hogga", days),
    await bob.startGame(ann, "caterpillarWar", days),
  ];
  const gameSelector = (game) => `.my-games [data-id="${game}"]`;
  await ann.visit("/", gameSelector(id));
  await ann.page.focus(`${gameSelector(id)} a`);
  await bob.play(other);
  await ann.page.waitForSelector(`${gameSelector(other)}.is-my-turn`);
  assert.equal(await focusedId(ann), id);
  await bob.play(id);
  await ann.page.waitForSelector(`${gameSelector(id)}.is-my-turn`);
  assert.equal(await focusedId(ann), id);
  await bob.resign(id);
  await ann.page.waitForSelector(gameSelector(id), { state: "detached" });
  assert.equal(
    await ann.page.evaluate(() => document.activeElement.matches(".my-games ul")),
    true,
    "removing the focused item keeps the focus in its list",
  );

  // A focused challenge is canceled; another is revealed by the button for new challenges.
  const isList = () => ann.page.evaluate(() => document.activeElement.matches(".challenge-list"));
  const createChallenge = async () =>
    (await bob.post("/api/challenge", { variant: "hogga", ...days })).id;
  await ann.page.focus(".challenge-list-empty button");
  const first = await createChallenge();
  await ann.page.waitForSelector(cardSelector(first));
  assert.ok(await isList());
  await ann.page.focus(`${cardSelector(first)} .challenge-card-actions button`);
  await bob.post(`/api/challenge/${first}/cancel`, {});
  await ann.page.waitForSelector(`${cardSelector(first)}.is-unavailable`);
  assert.ok(await isList());
  const second = await createChallenge();
  await ann.page.waitForSelector(cardSelector(second));
  await ann.page.hover(cardSelector(second));
  const third = await createChallenge();
  await ann.page.focus(".lobby-more:not([hidden])");
  await ann.page.keyboard.press("Enter");
  await ann.page.waitForSelector(cardSelector(third));
  assert.ok(await isList());
  assertNoErrors(ownServer, [ann, bob], REJECTED_REQUEST);
});

test("game without a clock is casual", async () => {
  const [ann] = await openUsers("FreeAnn");
  await ann.scrollToChallengeForm();
  assert.equal(
    await ann.page.getAttribute(".lobby .game-choice[role=radiogroup]", "aria-label"),
    "Game",
  );
  const rated = ann.page.locator(".lobby .challenge-form-rated .switch");
  assert.equal(await rated.getAttribute("aria-checked"), "true");
  await ann.page.click(".lobby .segmented.is-three-column [data-value=none]");
  assert.deepEqual(
    [await rated.getAttribute("aria-checked"), await rated.getAttribute("aria-disabled")],
    ["false", "true"],
  );
  await ann.page.waitForSelector("text=A game without a clock is casual.");
  await ann.page.click(".lobby .segmented.is-three-column [data-value='5+3']");
  assert.equal(await rated.getAttribute("aria-checked"), "true", "the rated setting is restored");
  assertNoErrors(server, [ann], REJECTED_REQUEST);
});

test("lobby shows 50 challenges and reveals the rest on request", async () => {
  const creators = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((number) =>
      User.open(browser, server, { name: `Page-${number}` }, null),
    ),
  );
  for (const creator of creators)
    for (let created = 0; created < 10; created += 1)
      await creator.post("/api/challenge", { variant: "hogga" });
  const viewer = await User.open(browser, server);
  const { total } = (await viewer.request("/api/lobby")).body;
  assert.ok(total >= 60);
  const count = () => viewer.page.locator(".challenge-list > .challenge-card").count();
  assert.equal(await count(), 50);
  await viewer.page.click("text=Show more");
  await viewer.page.waitForFunction(
    (expected) =>
      document.querySelectorAll(".challenge-list > .challenge-card").length === expected,
    total,
  );
  assert.equal(await viewer.page.locator("text=Show more").isVisible(), false);
  assertNoErrors(server, [viewer, ...creators], REJECTED_REQUEST);
});
