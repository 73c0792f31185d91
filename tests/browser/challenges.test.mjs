// Every road to a game: list, name, link, two seats, several games, days, the ready check, a rematch.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";

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

const people = (...names) => Promise.all(names.map((name) => Person.open(browser, server, { name })));

/** Nothing went wrong in any page but requests that were refused as they should be, nor in the server's log. */
const wasQuiet = (...persons) => {
  for (const { name, errors } of persons) assert.deepEqual(errors.filter((error) => !/status of 4\d\d/.test(error)), [], name);
  assert.equal(server.faults, "");
};

/** Fills in the form and sends it; answers the id of what was made. */
const post = async (person, { road = "list", name, games = ["knightFight"], times = ["5+3"], min, days, side }) => {
  const { page } = person;
  await page.goto(server.url);
  await person.toForm();
  const form = page.locator(".lobby form.new");
  await form.locator(`.seg [data-value=${road}]`).click();
  if (name) await form.locator("[name=opponent]").fill(name);
  const pick = async (row, values) => {
    if (values.length > 1) await form.locator(`.many:has(> ${row}) .several`).click();
    await form.locator(`${row} [data-value="${values[0]}"]`).click();
    for (const value of values.slice(1)) await form.locator(`${row} [data-value="${value}"]`).click();
    // One was chosen before; it is let go of where it is not wanted.
    for (const other of await form.locator(`${row} [aria-checked=true]`).evaluateAll((buttons) => buttons.map(({ dataset }) => dataset.value)))
      if (!values.includes(other)) await form.locator(`${row} [data-value="${other}"]`).click();
  };
  await pick(".pick", games);
  await pick(".seg.six", times);
  if (days) await form.locator("[name=days]").selectOption(String(days));
  if (side) await form.locator(`.seg [data-value=${side}]`).click();
  if (min) {
    await form.locator(".seg [data-value=fixed]").click();
    await form.locator("input[aria-label='Lowest rating']").fill(String(min));
    await form.locator("input[aria-label='Highest rating']").fill("");
  }
  const answer = page.waitForResponse((response) => response.request().method() === "POST" && /\/api\/challenge/.test(response.url()));
  await form.locator("button[type=submit]").click();
  const made = await answer;
  assert.ok(made.ok(), `${made.status()}`);
  if (!["link", "open"].includes(road)) return (await made.json()).id;
  // The links stand on a page of its own.
  await page.waitForSelector(".wait .link");
  return new URL(page.url()).pathname.slice(1);
};

const card = (id) => `.challenge[data-id="${id}"]`;

/** Both have come to the game of that id. */
const meet = async (id, ...persons) => {
  for (const { page } of persons) {
    await page.waitForURL(({ pathname }) => pathname === `/${id}`);
    await page.waitForSelector(".bd.live rect.hit");
  }
};

/** Plays a rated game in which the second of them gives up, so that their rating falls. */
const beat = async (winner, loser) => {
  const id = await post(winner, { side: "first" });
  await loser.ask(`/api/challenge/${id}/accept`, {});
  // Both were in the lobby, which takes them along: what is done next must not cross that.
  await meet(id, winner, loser);
  await giveUp(id, winner, loser);
  const rating = await loser.rating("knightFight");
  assert.ok(rating < 1400, `${rating}`);
  return rating;
};

const giveUp = async (id, winner, loser) => {
  for (const person of [winner, loser, winner, loser]) {
    const { legal } = (await person.ask(`/api/game/${id}`)).body;
    if (legal) await person.ask(`/api/board/game/${id}/move/${encodeURIComponent(legal[0])}`, {});
  }
  await loser.ask(`/api/board/game/${id}/resign`, {});
};

test("a range holds on every road, and says so", async () => {
  const [ann, dan] = await people("RoadAnn", "RoadDan");
  const low = await beat(ann, dan);
  const reason = `Your rating ${low} is below 1450`;
  const refused = async (id, body = {}) => {
    const answer = await dan.ask(`/api/challenge/${id}/accept`, body);
    assert.deepEqual([answer.status, answer.body.reason, answer.body.rating], [403, "ratingTooLow", low]);
  };
  await dan.page.goto(server.url);
  for (const [road, name] of [["list"], ["named", "RoadDan"]]) {
    const id = await post(ann, { road, name, min: 1450 });
    await dan.page.waitForSelector(`${card(id)}.grey >> text=${reason}`);
    assert.equal(await dan.page.locator(`${card(id)} >> text=Accept`).count(), 0);
    await refused(id);
  }
  for (const road of ["link", "open"]) {
    const id = await post(ann, { road, min: 1450 });
    await dan.page.goto(`${server.url}/${id}`);
    await dan.page.waitForSelector(`.wait >> text=${reason}`);
    assert.equal(await dan.page.locator(".wait .btn:has-text('Accept'), .wait .btn:has-text('Take this seat')").count(), 0);
    await refused(id, road === "open" ? { color: "first" } : {});
  }
  wasQuiet(ann, dan);
});

test("a named player is found, declines with a reason, and its maker reads it", async () => {
  const [ann, bob, eve] = await people("NamedAnn", "NamedBob", "NamedEve");
  await ann.page.goto(`${server.url}/lobby?to=NamedBob`);
  const form = ann.page.locator(".lobby form.new");
  assert.equal(await form.locator("[name=opponent]").inputValue(), "NamedBob");
  await form.locator("[name=opponent]").fill("");
  await form.locator("[name=opponent]").pressSequentially("namedb");
  await ann.page.waitForSelector("datalist option[value=NamedBob]", { state: "attached" });
  const listed = await post(eve, {});
  const id = await post(ann, { road: "named", name: "NamedBob" });
  await bob.page.waitForSelector(card(listed));
  await bob.page.waitForSelector(`${card(id)} >> text=For you`);
  assert.equal(await bob.page.getAttribute(".cards > :first-child", "data-id"), id, "what is for me stands first");
  assert.equal(await eve.page.locator(card(id)).count(), 0);
  const stranger = await eve.ask(`/api/challenge/${id}/accept`, {});
  assert.deepEqual([stranger.status, stranger.body.reason], [403, "notForYou"]);
  await bob.page.click(`${card(id)} >> text=Decline`);
  await bob.page.click(".ask [data-reason=later]");
  await ann.page.waitForSelector(`${card(id)} >> text=perhaps later`);
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".wait >> text=NamedBob declined");
  // Somebody who does not exist is not challenged.
  await ann.page.goto(server.url);
  await ann.toForm();
  await form.locator(".seg [data-value=named]").click();
  await form.locator("[name=opponent]").fill("Nobody-here");
  await form.locator("button[type=submit]").click();
  await ann.page.waitForSelector("text=There is no player called Nobody-here");
  // Under a hand the list keeps still: what comes then waits.
  await bob.page.mouse.move(0, 0);
  const again = await post(ann, { road: "named", name: "NamedBob" });
  await bob.page.click(`${card(again)} >> text=Accept`);
  await meet(again, ann, bob);
  wasQuiet(ann, bob, eve);
});

test("whoever has the link plays; the list does not show it", async () => {
  const [ann, bob] = await people("LinkAnn", "LinkBob");
  const id = await post(ann, { road: "link" });
  assert.match(await ann.page.inputValue(".wait .link input"), new RegExp(`/${id}$`));
  const { challenges } = (await bob.ask("/api/lobby")).body;
  assert.ok(!challenges.some((challenge) => challenge.id === id));
  await bob.page.goto(`${server.url}/${id}`);
  await bob.page.click(".wait .btn:has-text('Accept')");
  await meet(id, ann, bob);
  wasQuiet(ann, bob);
});

test("two others take the seats, each by a link of their own", async () => {
  const [ann, bob, cleo] = await people("OpenAnn", "OpenBob", "OpenCleo");
  const id = await post(ann, { road: "open" });
  const links = await ann.page.locator(".wait .seat .link input").evaluateAll((inputs) => inputs.map(({ value }) => value));
  assert.equal(new Set(links).size, 2);
  await bob.page.goto(links[0]);
  await bob.page.waitForSelector(".wait [data-seat=first]");
  assert.equal(await bob.page.locator(".wait .btn:has-text('Take this seat')").count(), 1, "a link is for one seat");
  await bob.page.click(".wait [data-seat=first]");
  await bob.page.waitForSelector(".wait >> text=We wait for the other");
  await ann.page.waitForSelector(".wait .seat >> text=OpenBob");
  await cleo.page.goto(links[1]);
  await cleo.page.click(".wait [data-seat=second]");
  await meet(id, ann, bob, cleo);
  assert.deepEqual([(await bob.ask(`/api/game/${id}`)).body.you, (await cleo.ask(`/api/game/${id}`)).body.you], ["first", "second"]);
  wasQuiet(ann, bob, cleo);
});

test("several games and clocks: the acceptor chooses among those that fit", async () => {
  const [ann, dan] = await people("ManyAnn", "ManyDan");
  const low = await beat(ann, dan);
  await dan.page.goto(server.url);
  const id = await post(ann, { games: ["knightFight", "hogga"], times: ["5+3", "10+5"], min: 1450 });
  await dan.page.waitForSelector(`${card(id)} .chip >> nth=3`);
  const byHand = await dan.ask(`/api/challenge/${id}/accept`, { variant: "knightFight", clock: "300+3" });
  assert.deepEqual([byHand.status, byHand.body.reason], [403, "ratingTooLow"]);
  const none = await dan.ask(`/api/challenge/${id}/accept`, { variant: "wieNietWegIs", clock: "300+3" });
  assert.deepEqual([none.status, none.body.reason], [400, "badChoice"]);
  await dan.page.click(`${card(id)} >> text=Accept`);
  await dan.page.waitForSelector(`.ask .row.grey >> text=Your rating ${low} is below 1450`);
  assert.equal(await dan.page.locator(".ask .rows [data-value=knightFight]").count(), 0, "what does not fit cannot be pressed");
  await dan.page.click(".ask [data-value='600+5']");
  await dan.page.click(".ask .btn:has-text('Accept')");
  await meet(id, ann, dan);
  const { variant, clock } = (await dan.ask(`/api/game/${id}`)).body;
  assert.deepEqual([variant.key, clock.initial, clock.increment], ["hogga", 600000, 5000]);
  wasQuiet(ann, dan);
});

test("a game of days stands under the own games, with the turn marked", async () => {
  const [ann, bob] = await people("DaysAnn", "DaysBob");
  const id = await post(ann, { times: ["days"], days: 3, side: "first" });
  await bob.page.waitForSelector(`${card(id)} >> text=3 days a move`);
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, bob);
  const own = `.mine [data-id="${id}"]`;
  await ann.page.waitForSelector(`${own}.turn >> text=DaysBob`);
  assert.match(await ann.page.textContent(own), /Your move/);
  assert.match(await ann.page.textContent(own), /\d d/);
  await bob.page.goto(server.url);
  await bob.page.waitForSelector(`${own}:not(.turn)`);
  await ann.page.click(`${own} a`);
  await meet(id, ann);
  assert.match(await ann.page.textContent(".bar.own .clock"), /^\d d( \d+ h)?$/);
  const { legal } = (await ann.ask(`/api/game/${id}`)).body;
  await ann.ask(`/api/board/game/${id}/move/${encodeURIComponent(legal[0])}`, {});
  await ann.sees(1);
  await bob.page.waitForSelector(`${own}.turn`);
  wasQuiet(ann, bob);
});

test("without a clock a game is casual", async () => {
  const [ann] = await people("FreeAnn");
  await ann.toForm();
  assert.equal(await ann.page.getAttribute(".lobby .pick[role=radiogroup]", "aria-label"), "Game");
  const rated = ann.page.locator(".lobby .why-off .switch");
  assert.equal(await rated.getAttribute("aria-checked"), "true");
  await ann.page.click(".lobby .seg.six [data-value=none]");
  assert.deepEqual([await rated.getAttribute("aria-checked"), await rated.getAttribute("aria-disabled")], ["false", "true"]);
  await ann.page.waitForSelector("text=A game without a clock is casual.");
  await ann.page.click(".lobby .seg.six [data-value='5+3']");
  assert.equal(await rated.getAttribute("aria-checked"), "true", "what was wished comes back");
  wasQuiet(ann);
});

test("the acceptor waits for a maker who is away, and others see that it is being taken", async () => {
  const [ann, bob, cleo] = await people("ReadyAnn", "ReadyBob", "ReadyCleo");
  const id = await post(ann, {});
  await bob.page.waitForSelector(card(id));
  await ann.page.goto("about:blank");
  const accept = async () => {
    await bob.page.click(`${card(id)} >> text=Accept`);
    await bob.page.waitForSelector(`${card(id)} >> text=Waiting for ReadyAnn to come`);
  };
  await accept();
  assert.match(await bob.page.textContent(`${card(id)} [role=timer]`), /^0:[0-3]\d$/);
  await cleo.page.waitForSelector(`${card(id)}.grey >> text=Being taken`);
  assert.equal(await cleo.page.locator(`${card(id)} button`).count(), 0);
  // The acceptor may leave, and the maker may say no: both times it is open again.
  await bob.page.click(`${card(id)} >> text=Cancel`);
  await cleo.page.waitForSelector(`${card(id)}:not(.grey) >> text=Accept`);
  await accept();
  assert.equal((await ann.ask(`/api/challenge/${id}/ready`, { answer: "no" })).status, 200);
  await bob.page.waitForSelector(`${card(id)} >> text=ReadyAnn cannot play just now`);
  await accept();
  const begun = await ann.ask(`/api/challenge/${id}/ready`, { answer: "yes" });
  assert.equal(begun.body.id, id);
  await meet(id, bob);
  // By the link it is the same, on both ends.
  const linked = await post(ann, { road: "link" });
  await ann.page.goto("about:blank");
  await bob.page.goto(`${server.url}/${linked}`);
  await bob.page.click(".wait .btn:has-text('Accept')");
  await bob.page.waitForSelector(".wait >> text=Waiting for ReadyAnn to come");
  await ann.page.goto(`${server.url}/${linked}`);
  await ann.page.click(".wait .btn:has-text('Start')");
  await meet(linked, ann, bob);
  wasQuiet(ann, bob, cleo);
});

test("a rematch is declined, withdrawn, accepted, and changes sides", async () => {
  const [ann, bob] = await people("AgainAnn", "AgainBob");
  const id = await post(ann, { side: "first", min: 1450 });
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, ann, bob);
  await giveUp(id, bob, ann);
  // Bob has won and fits still; Ann, whose range it is, offers.
  for (const { page } of [ann, bob]) await page.waitForSelector(".result .rematch");
  await ann.page.click(".result >> text=Rematch");
  await ann.page.waitForSelector(".result >> text=Waiting for AgainBob");
  await bob.page.waitForSelector(".result >> text=AgainAnn offers a rematch");
  await bob.page.click(".rematch .btn:has-text('No')");
  await ann.page.waitForSelector(".result >> text=would rather not play again");
  await ann.page.click(".result >> text=Rematch");
  await ann.page.click(".rematch .btn:has-text('Withdraw')");
  await ann.page.click(".result >> text=Rematch");
  await bob.page.click(".rematch .btn:has-text('Accept')");
  await ann.page.waitForURL((url) => url.pathname !== `/${id}`);
  const next = new URL(ann.page.url()).pathname.slice(1);
  await meet(next, ann, bob);
  assert.deepEqual([(await ann.ask(`/api/game/${next}`)).body.you, (await bob.ask(`/api/game/${next}`)).body.you], ["second", "first"]);
  wasQuiet(ann, bob);
});

test("the range of the first game refuses its rematch too", async () => {
  const [ann, bob] = await people("AgainAda", "AgainBen");
  const id = await post(ann, { side: "first", min: 1450 });
  await bob.page.click(`${card(id)} >> text=Accept`);
  await meet(id, ann, bob);
  await giveUp(id, ann, bob);
  const low = await bob.rating("knightFight");
  assert.ok(low < 1450, `${low}`);
  await ann.page.click(".result >> text=Rematch");
  await bob.page.waitForSelector(`.result >> text=Your rating ${low} is below 1450`);
  assert.equal(await bob.page.locator(".rematch .btn:has-text('Accept')").count(), 0);
  const refused = await bob.ask(`/api/board/game/${id}/rematch/yes`, {});
  assert.deepEqual([refused.status, refused.body.reason, refused.body.rating], [403, "ratingTooLow", low]);
  wasQuiet(ann, bob);
});
