// Players and their profiles: leaderboard, search, game lists with filters, blocking, reports, and
// challenges that appear on any page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

/** Opens a browser with an account and without the lobby, which would redirect to each new game. */
const openUser = (name) => User.open(browser, server, { name }, null);

test("empty leaderboard shows a notice, search opens a profile", async () => {
  const ann = await openUser("Annika");
  await ann.visit("/players", ".users-empty");
  assert.match(await ann.page.textContent(".users-empty"), /Nobody has an established rating/);
  assert.match(await ann.page.textContent("main"), /not established yet and are not listed/);
  await ann.page.click(".leaderboard-variants [data-value=hogga]");
  await ann.page.waitForURL(/game=hogga/);
  await ann.page.waitForSelector(".users-empty");
  await ann.page.fill(".player-search input", "anni");
  await ann.page.waitForSelector("[role=option] >> text=Annika");
  await ann.page.press(".player-search input", "ArrowDown");
  await ann.page.press(".player-search input", "Enter");
  await ann.page.waitForURL(`${server.url}/@/Annika`);
  await ann.page.waitForSelector("h1 >> text=Annika");
  await ann.visit("/players", ".player-search");
  await ann.page.fill(".player-search input", "nobody-at-all");
  await ann.page.press(".player-search input", "Enter");
  await ann.page.waitForSelector(".player-search .form-error >> text=No player has that name");
  assertNoErrors(server, [ann]);
});

test("a profile shows ratings, a score, and games in pages", async () => {
  const [bea, cas] = [await openUser("Bea"), await openUser("Cas")];
  const wonGame = await bea.beat(cas, "knightFight");
  await bea.abort(await bea.startGame(cas, "hogga", { days: 3 }));
  for (let count = 0; count < 20; count += 1)
    await cas.abort(await cas.startGame(bea, "caterpillarWar", { days: 3 }));
  const runningGame = await cas.startGame(bea, "hogga", { days: 3 });

  const { page } = cas;
  await cas.visit("/@/Bea", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 20);
  await page.waitForSelector("text=Page 1 of 2");
  assert.match(await page.textContent(".game-list-head"), /23 games/);
  const rating = await bea.rating("knightFight");
  const selectedText = await page.textContent(".rating-list [aria-checked=true]");
  assert.match(selectedText, new RegExp(`Knight Fight\\s*${rating}\\?`));
  assert.match(await page.getAttribute(".rating-plot", "aria-label"), /Knight Fight: 1 rated game/);
  await page.click(".rating-panel summary");
  await page.waitForSelector(`.rating-history a[href="/${wonGame}"]`);
  assert.match(await page.textContent(".head-to-head .head-to-head-score"), /You\s*0 – 1\s*Bea/);

  await page.click(".pager >> text=Older");
  await page.waitForSelector("text=Page 2 of 2");
  assert.equal(await page.locator(".game-row").count(), 3);
  const row = `.game-row:has(a[href="/${wonGame}"])`;
  assert.match(await page.textContent(row), /Won.*Black resigned/s);
  assert.match(await page.textContent(row), new RegExp(`\\+${rating - 1500}`));
  await page.goBack();
  await page.waitForSelector("text=Page 1 of 2");

  await page.selectOption("[name=variant]", "hogga");
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 2);
  await page.selectOption("[name=result]", "playing");
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 1);
  assert.match(page.url(), /variant=hogga/);
  assert.equal(await page.getAttribute(".game-row-outcome", "href"), `/${runningGame}`);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 2);
  assert.equal(await page.inputValue("[name=result]"), "");
  await cas.visit("/@/Bea?rated=true", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 1);
  await page.selectOption("[name=result]", "loss");
  await page.waitForSelector("text=No games match");
  await cas.visit("/@/Bea?vs=Cas&side=first", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 2);

  // Accounts see the number of games in which they have to move on every page.
  const { body } = await cas.request("/api/account");
  assert.equal(body.turns, 1);
  await page.waitForSelector(".turn-count >> text=1 game waits for you");
  assert.match(await page.title(), /^\(1\) Bea/);
  await bea.visit("/@/bea", ".game-row");
  await bea.page.waitForSelector("text=Export games");
  await bea.visit("/@/nobody-at-all", ".page-message");
  assertNoErrors(server, [bea, cas], /404/);
});

test("a player can be blocked, unblocked and reported", async () => {
  const [dee, eli] = [await openUser("Dee"), await openUser("Eli")];
  const { page } = dee;
  await dee.visit("/@/Eli", ".player-head .btn");
  assert.equal(await page.getAttribute("text=Challenge", "href"), "/lobby?to=Eli");
  await page.click(".player-head >> text=Block");
  await page.waitForSelector("text=You have blocked Eli");
  const response = await dee.request("/api/challenge", { variant: "hogga" });
  assert.equal(
    (await eli.request(`/api/challenge/${response.body.id}/accept`, {})).body.reason,
    "blocked",
  );
  await page.reload();
  await page.waitForSelector(".player-head >> text=Unblock");
  await dee.visit("/account", ".account-list a >> text=Eli");
  await page.click(".account-list li:has-text('Eli') >> text=Unblock");
  await page.waitForSelector("text=You have not blocked anyone");
  await dee.visit("/@/Eli", ".player-head .btn");
  await page.click(".player-head >> text=Report");
  await page.selectOption("dialog [name=reason]", "abuse");
  await page.fill("dialog [name=text]", "<b>unkind</b> in the chat");
  await page.click("dialog >> text=Send");
  await page.waitForSelector(".toast >> text=Thank you");
  await page.waitForSelector("dialog", { state: "detached" });
  assertNoErrors(server, [dee, eli]);
});

test("direct challenges and the ready check appear on any page", async () => {
  const [kit, liv] = [await openUser("Kit"), await openUser("Liv")];
  // The first, rate-limited request for the session is repeated; notices arrive afterwards.
  await kit.page.route(
    "**/api/guest",
    (route) =>
      route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { reason: "tooFast" } }),
    { times: 1 },
  );
  await kit.visit("/rules", ".rules-index");
  const direct = await liv.request("/api/challenge/Kit", {
    variant: "hogga",
    "clock.limit": 300,
    "clock.increment": 3,
  });
  assert.equal(direct.status, 200, JSON.stringify(direct.body));
  await kit.page.waitForSelector(".notice >> text=Liv challenges you: Hogga · 5+3");
  await kit.page.click(".notice >> text=Decline");
  await kit.page.waitForSelector(".notice", { state: "detached" });
  assert.equal(
    (await liv.request(`/api/challenge/${direct.body.id}/show`)).body.status,
    "declined",
  );

  // Kit posts a challenge and opens another page; its acceptance starts a ready check.
  const posted = await kit.request("/api/challenge", {
    variant: "caterpillarWar",
    "clock.limit": 300,
    "clock.increment": 3,
  });
  await kit.visit("/players", ".leaderboard-variants");
  const accepted = await liv.request(`/api/challenge/${posted.body.id}/accept`, {});
  assert.equal(accepted.body.ready, false, JSON.stringify(accepted.body));
  await kit.page.waitForSelector(".notice-ready-check >> text=Liv accepts your challenge");
  await kit.page.click(".notice-ready-check button:has-text('Start')");
  await kit.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  assertNoErrors(server, [kit, liv], /429/);
});

test("a ready check goes on after a restart of the server", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const kit = await User.open(browser, ownServer, { name: "AwayKit" }, null);
  const liv = await User.open(browser, ownServer, { name: "LateLiv" }, null);
  const terms = { variant: "caterpillarWar", "clock.limit": 300, "clock.increment": 3 };
  const posted = await kit.request("/api/challenge", terms);
  await kit.visit("/players", ".leaderboard-variants");
  await liv.visit(`/${posted.body.id}`, "text=invites you");
  await liv.page.getByRole("button", { name: "Play", exact: true }).click();
  await liv.page.waitForSelector("text=Waiting for AwayKit to confirm");
  await kit.page.waitForSelector(".notice-ready-check >> text=LateLiv accepts your challenge");
  await ownServer.kill();
  await ownServer.startProcess();
  // Both pages reconnect, and neither loses the check.
  await waitUntil("both are connected again", async () => {
    const users = await kit.request("/api/users/status?ids=awaykit,lateliv");
    return Array.isArray(users.body) && users.body.every(({ online }) => online);
  });
  await liv.page.waitForSelector("text=Waiting for AwayKit to confirm");
  await kit.page.click(".notice-ready-check button:has-text('Start')");
  for (const { page } of [kit, liv]) {
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  }
  assert.deepEqual(
    [...kit.errors, ...liv.errors].filter((error) => !/ERR_|WebSocket/.test(error)),
    [],
  );
});
