// Challenges: list, named opponent, link, open seats, several variants and clocks, correspondence.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, Server, house } from "./support/server.mjs";
import { REFUSED, beat, card, post } from "./support/challenges.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { meet } from "./support/game.mjs";

const { server, browser } = await house();

const people = (...names) =>
  Promise.all(names.map((name) => Person.open(browser, server, { name })));

test("rating range is enforced and explained for every challenge type", async () => {
  const [ann, dan] = await people("RoadAnn", "RoadDan");
  const low = await beat(ann, dan);
  const reason = `Your rating ${low} is below 1450`;
  const refused = async (id, body = {}) => {
    const answer = await dan.ask(`/api/challenge/${id}/accept`, body);
    assert.deepEqual(
      [answer.status, answer.body.reason, answer.body.rating],
      [403, "ratingTooLow", low],
    );
  };
  await dan.page.goto(server.url);
  for (const [road, name] of [["list"], ["named", "RoadDan"]]) {
    const id = await post(ann, { road, name, min: 1450 });
    await dan.page.waitForSelector(`${card(id)}.is-unavailable >> text=${reason}`);
    assert.equal(await dan.page.locator(`${card(id)} >> text=Accept`).count(), 0);
    await refused(id);
  }
  for (const road of ["link", "open"]) {
    const id = await post(ann, { road, min: 1450 });
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
    await refused(id, road === "open" ? { color: "first" } : {});
  }
  wasQuiet(server, [ann, dan], REFUSED);
});

test("named player is suggested, and the creator sees the decline reason", async () => {
  const [ann, bob, eve] = await people("NamedAnn", "NamedBob", "NamedEve");
  await ann.page.goto(`${server.url}/lobby?to=NamedBob`);
  const form = ann.page.locator(".lobby form.challenge-form");
  assert.equal(await form.locator("[name=opponent]").inputValue(), "NamedBob");
  await form.locator("[name=opponent]").fill("");
  await form.locator("[name=opponent]").pressSequentially("namedb");
  await ann.page.waitForSelector("datalist option[value=NamedBob]", { state: "attached" });
  const listed = await post(eve, {});
  const id = await post(ann, { road: "named", name: "NamedBob" });
  await bob.page.waitForSelector(card(listed));
  await bob.page.waitForSelector(`${card(id)} >> text=For you`);
  assert.equal(
    await bob.page.getAttribute(".challenge-list > :first-child", "data-id"),
    id,
    "a challenge to the viewer comes first",
  );
  assert.equal(await eve.page.locator(card(id)).count(), 0);
  const stranger = await eve.ask(`/api/challenge/${id}/accept`, {});
  assert.deepEqual([stranger.status, stranger.body.reason], [403, "notForYou"]);
  await bob.page.click(`${card(id)} >> text=Decline`);
  await bob.page.click(".dialog [data-reason=later]");
  await ann.page.waitForSelector(`${card(id)} >> text=please ask again later`);
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".challenge-page >> text=NamedBob declined");
  // A challenge to an unknown name is refused.
  await ann.page.goto(server.url);
  await ann.toForm();
  await form.locator(".segmented [data-value=named]").click();
  await form.locator("[name=opponent]").fill("Nobody-here");
  await form.locator("button[type=submit]").click();
  await ann.page.waitForSelector("text=There is no player called Nobody-here");
  // A list under the pointer does not change: moves the pointer away.
  await bob.page.mouse.move(0, 0);
  const again = await post(ann, { road: "named", name: "NamedBob" });
  await bob.page.click(`${card(again)} >> text=Accept`);
  await meet(again, ann, bob);
  wasQuiet(server, [ann, bob, eve], REFUSED);
});

test("link challenge is not listed, and its link joins the game", async () => {
  const [ann, bob] = await people("LinkAnn", "LinkBob");
  const id = await post(ann, { road: "link" });
  assert.match(
    await ann.page.inputValue(".challenge-page .share-link input"),
    new RegExp(`/${id}$`),
  );
  const { challenges } = (await bob.ask("/api/lobby")).body;
  assert.ok(!challenges.some((challenge) => challenge.id === id));
  await bob.page.goto(`${server.url}/${id}`);
  await bob.page.click(".challenge-page .btn:has-text('Accept')");
  await meet(id, ann, bob);
  wasQuiet(server, [ann, bob], REFUSED);
});

test("two players take the seats of an open challenge by separate links", async () => {
  const [ann, bob, cleo] = await people("OpenAnn", "OpenBob", "OpenCleo");
  const id = await post(ann, { road: "open" });
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
  await meet(id, ann, bob, cleo);
  assert.deepEqual(
    [(await bob.ask(`/api/game/${id}`)).body.you, (await cleo.ask(`/api/game/${id}`)).body.you],
    ["first", "second"],
  );
  wasQuiet(server, [ann, bob, cleo], REFUSED);
});

test("acceptor chooses among the permitted variants and clocks", async () => {
  const [ann, dan] = await people("ManyAnn", "ManyDan");
  const low = await beat(ann, dan);
  await dan.page.goto(server.url);
  const id = await post(ann, {
    games: ["knightFight", "hogga"],
    times: ["5+3", "10+5"],
    min: 1450,
  });
  await dan.page.waitForSelector(`${card(id)} .challenge-card-chip >> nth=3`);
  const byHand = await dan.ask(`/api/challenge/${id}/accept`, {
    variant: "knightFight",
    clock: "300+3",
  });
  assert.deepEqual([byHand.status, byHand.body.reason], [403, "ratingTooLow"]);
  const none = await dan.ask(`/api/challenge/${id}/accept`, {
    variant: "wieNietWegIs",
    clock: "300+3",
  });
  assert.deepEqual([none.status, none.body.reason], [400, "badChoice"]);
  await dan.page.click(`${card(id)} >> text=Accept`);
  await dan.page.waitForSelector(
    `.dialog .option-list-item.is-unavailable >> text=Your rating ${low} is below 1450`,
  );
  assert.equal(
    await dan.page.locator(".dialog .option-list [data-value=knightFight]").count(),
    0,
    "a variant outside the rating range is not offered",
  );
  await dan.page.click(".dialog [data-value='600+5']");
  await dan.page.click(".dialog .btn:has-text('Accept')");
  await meet(id, ann, dan);
  const { variant, clock } = (await dan.ask(`/api/game/${id}`)).body;
  assert.deepEqual([variant.key, clock.initial, clock.increment], ["hogga", 600000, 5000]);
  wasQuiet(server, [ann, dan], REFUSED);
});

test("correspondence game is listed under own games, with the turn marked", async () => {
  const [ann, bob] = await people("DaysAnn", "DaysBob");
  const id = await post(ann, { times: ["days"], days: 3, side: "first" });
  await bob.page.waitForSelector(`${card(id)} >> text=3 days a move`);
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, bob);
  const own = `.my-games [data-id="${id}"]`;
  await ann.page.waitForSelector(`${own}.is-my-turn >> text=DaysBob`);
  assert.match(await ann.page.textContent(own), /Your move/);
  assert.match(await ann.page.textContent(own), /\d d/);
  await bob.page.goto(server.url);
  await bob.page.waitForSelector(`${own}:not(.is-my-turn)`);
  await ann.page.click(`${own} a`);
  await meet(id, ann);
  assert.match(await ann.page.textContent(".game-player.is-bottom .game-clock"), /^\d d( \d+ h)?$/);
  await ann.play(id);
  await ann.sees(1);
  await bob.page.waitForSelector(`${own}.is-my-turn`);
  wasQuiet(server, [ann, bob], REFUSED);
});

/** Returns the id of the list item with keyboard focus. */
const focus = ({ page }) =>
  page.evaluate(() => document.activeElement.closest("[data-id]")?.dataset.id);

test("keyboard focus stays in place when lists change", async (context) => {
  // Challenges of other tests would keep this list from being empty.
  const alone = await Server.start();
  context.after(() => alone.stop());
  const [ann, bob] = await Promise.all(
    ["KeysAnn", "KeysBob"].map((name) => Person.open(browser, alone, { name }, null)),
  );
  const days = { days: 3 };
  const [id, other] = [
    await bob.begin(ann, "hogga", days),
    await bob.begin(ann, "caterpillarWar", days),
  ];
  const own = (game) => `.my-games [data-id="${game}"]`;
  await ann.visit("/", own(id));
  await ann.page.focus(`${own(id)} a`);
  await bob.play(other);
  await ann.page.waitForSelector(`${own(other)}.is-my-turn`);
  assert.equal(await focus(ann), id);
  await bob.play(id);
  await ann.page.waitForSelector(`${own(id)}.is-my-turn`);
  assert.equal(await focus(ann), id);
  await bob.resign(id);
  await ann.page.waitForSelector(own(id), { state: "detached" });
  assert.equal(
    await ann.page.evaluate(() => document.activeElement.matches(".my-games ul")),
    true,
    "removing the focused item keeps the focus in its list",
  );

  // A focused challenge is canceled; another is revealed by the button for new challenges.
  const isList = () => ann.page.evaluate(() => document.activeElement.matches(".challenge-list"));
  const offer = async () => (await bob.told("/api/challenge", { variant: "hogga", ...days })).id;
  await ann.page.focus(".challenge-list-empty button");
  const first = await offer();
  await ann.page.waitForSelector(card(first));
  assert.ok(await isList());
  await ann.page.focus(`${card(first)} .challenge-card-actions button`);
  await bob.told(`/api/challenge/${first}/cancel`, {});
  await ann.page.waitForSelector(`${card(first)}.is-unavailable`);
  assert.ok(await isList());
  const second = await offer();
  await ann.page.waitForSelector(card(second));
  await ann.page.hover(card(second));
  const third = await offer();
  await ann.page.focus(".lobby-more:not([hidden])");
  await ann.page.keyboard.press("Enter");
  await ann.page.waitForSelector(card(third));
  assert.ok(await isList());
  wasQuiet(alone, [ann, bob], REFUSED);
});

test("game without a clock is casual", async () => {
  const [ann] = await people("FreeAnn");
  await ann.toForm();
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
  wasQuiet(server, [ann], REFUSED);
});

test("lobby shows 50 challenges and reveals the rest on request", async () => {
  const makers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((at) => Person.open(browser, server, { name: `Page-${at}` }, null)),
  );
  for (const maker of makers)
    for (let made = 0; made < 10; made += 1)
      await maker.told("/api/challenge", { variant: "hogga" });
  const viewer = await Person.open(browser, server);
  const { total } = (await viewer.ask("/api/lobby")).body;
  assert.ok(total >= 60);
  const count = () => viewer.page.locator(".challenge-list > .challenge-card").count();
  assert.equal(await count(), 50);
  await viewer.page.click("text=Show more");
  await viewer.page.waitForFunction(
    (all) => document.querySelectorAll(".challenge-list > .challenge-card").length === all,
    total,
  );
  assert.equal(await viewer.page.locator("text=Show more").isVisible(), false);
  wasQuiet(server, [viewer, ...makers], REFUSED);
});
