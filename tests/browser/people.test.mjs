// Players, their pages and accounts, in real browsers against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PASSWORD, Person, Server, launch } from "./house.mjs";

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

const people = (...options) => Promise.all(options.map((option) => Person.open(browser, server, option, null)));

/** Nothing went wrong in any page, nor in the server's log; `expected` names what a page may complain of. */
const wasQuiet = (persons, expected = /^$/) => {
  for (const { name, errors } of persons) assert.deepEqual(errors.filter((error) => !expected.test(error)), [], name);
  assert.equal(server.faults, "");
};

/** Opens a page and waits for what belongs on it. */
const visit = async ({ page }, path, ready) => {
  await page.goto(server.url + path);
  await page.waitForSelector(ready);
};

/** Somebody with an account, away from the lobby, which would take them to each new game. */
const player = async (name) => (await people({ name }))[0];

/** A game by days, so that nobody need be there: made, accepted, and ended. */
const play = async (maker, acceptor, fields, end) => {
  const made = await maker.ask("/api/challenge", { variant: "knightFight", color: "first", days: 3, ...fields });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const accepted = await acceptor.ask(`/api/challenge/${made.body.id}/accept`, {});
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
  const { id } = accepted.body;
  if (end === "abort") await maker.ask(`/api/board/game/${id}/abort`, {});
  if (end === "resign") {
    for (const mover of [maker, acceptor]) {
      const { body } = await mover.ask(`/api/game/${id}`);
      await mover.ask(`/api/board/game/${id}/move/${encodeURIComponent(body.legal[0])}`, {});
    }
    await acceptor.ask(`/api/board/game/${id}/resign`, {});
  }
  return id;
};

/** Logs somebody in within a browser of their own. */
const elsewhere = async (name, password) => {
  const [person] = await people({});
  const { status } = await person.ask("/api/login", { username: name, password });
  assert.equal(status, 200);
  person.name = `${name} elsewhere`;
  return person;
};

test("a leaderboard without anybody, and the way to a player's page", async () => {
  const ann = await player("Annika");
  await visit(ann, "/players", ".nobody");
  assert.match(await ann.page.textContent(".nobody"), /Nobody has a settled rating/);
  assert.match(await ann.page.textContent("main"), /still settling and are not listed/);
  await ann.page.click(".kinds [data-value=hogga]");
  await ann.page.waitForURL(/game=hogga/);
  await ann.page.waitForSelector(".nobody");
  await ann.page.fill(".search input", "anni");
  await ann.page.waitForSelector("[role=option] >> text=Annika");
  await ann.page.press(".search input", "ArrowDown");
  await ann.page.press(".search input", "Enter");
  await ann.page.waitForURL(`${server.url}/@/Annika`);
  await ann.page.waitForSelector("h1 >> text=Annika");
  await visit(ann, "/players", ".search");
  await ann.page.fill(".search input", "nobody-at-all");
  await ann.page.press(".search input", "Enter");
  await ann.page.waitForSelector(".search .wrong >> text=Nobody here has that name");
  wasQuiet([ann]);
});

test("a player's page: ratings, games with filters and paging, the score between two", async () => {
  const [bea, cas] = [await player("Bea"), await player("Cas")];
  const won = await play(bea, cas, { rated: true }, "resign");
  await play(bea, cas, { variant: "hogga" }, "abort");
  for (let at = 0; at < 20; at += 1) await play(cas, bea, { variant: "caterpillarWar" }, "abort");
  const running = await play(cas, bea, { variant: "hogga" }, null);

  const { page } = cas;
  await visit(cas, "/@/Bea", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 20);
  await page.waitForSelector("text=Page 1 of 2");
  assert.match(await page.textContent(".games-head"), /23 games/);
  const rating = await bea.rating("knightFight");
  const chosen = await page.textContent(".perfs [aria-checked=true]");
  assert.match(chosen, new RegExp(`Knight Fight\\s*${rating}\\?`));
  assert.match(await page.getAttribute(".rating-plot", "aria-label"), /Knight Fight: 1 rated game/);
  await page.click(".plot-panel summary");
  await page.waitForSelector(`.history a[href="/${won}"]`);
  assert.match(await page.textContent(".between .score"), /You\s*0 – 1\s*Bea/);

  await page.click(".pager >> text=Older");
  await page.waitForSelector("text=Page 2 of 2");
  assert.equal(await page.locator(".game-row").count(), 3);
  const row = `.game-row:has(a[href="/${won}"])`;
  assert.match(await page.textContent(row), /Won.*Black resigned/s);
  assert.match(await page.textContent(row), new RegExp(`\\+${rating - 1500}`));
  await page.goBack();
  await page.waitForSelector("text=Page 1 of 2");

  await page.selectOption("[name=variant]", "hogga");
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 2);
  await page.selectOption("[name=result]", "playing");
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 1);
  assert.match(page.url(), /variant=hogga/);
  assert.equal(await page.getAttribute(".outcome", "href"), `/${running}`);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".game-row").length === 2);
  assert.equal(await page.inputValue("[name=result]"), "");
  await visit(cas, "/@/Bea?rated=true", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 1);
  await page.selectOption("[name=result]", "loss");
  await page.waitForSelector("text=No games like that");
  await visit(cas, "/@/Bea?vs=Cas&side=first", ".game-row");
  assert.equal(await page.locator(".game-row").count(), 2);

  // To move in one game: everybody with an account is told of it, on every page.
  const { body } = await cas.ask("/api/account");
  assert.equal(body.turns, 1);
  await page.waitForSelector(".turns >> text=1 game waits for you");
  assert.match(await page.title(), /^\(1\) Bea/);
  await visit(bea, "/@/bea", ".game-row");
  await bea.page.waitForSelector("text=Export games");
  await visit(bea, "/@/nobody-at-all", ".message");
  wasQuiet([bea, cas], /404/);
});

test("blocking and letting in again, and a report", async () => {
  const [dee, eli] = [await player("Dee"), await player("Eli")];
  const { page } = dee;
  await visit(dee, "/@/Eli", ".player-head .btn");
  assert.equal(await page.getAttribute("text=Challenge", "href"), "/lobby?to=Eli");
  await page.click(".player-head >> text=Block");
  await page.waitForSelector("text=You have blocked Eli");
  const made = await dee.ask("/api/challenge", { variant: "hogga" });
  assert.equal((await eli.ask(`/api/challenge/${made.body.id}/accept`, {})).body.reason, "blocked");
  await page.reload();
  await page.waitForSelector(".player-head >> text=Unblock");
  await visit(dee, "/account", ".plain a >> text=Eli");
  await page.click(".plain li:has-text('Eli') >> text=Unblock");
  await page.waitForSelector("text=You have blocked nobody");
  await visit(dee, "/@/Eli", ".player-head .btn");
  await page.click(".player-head >> text=Report");
  await page.selectOption("dialog [name=reason]", "abuse");
  await page.fill("dialog [name=text]", "<b>unkind</b> in the chat");
  await page.click("dialog >> text=Send");
  await page.waitForSelector(".toast >> text=Thank you");
  assert.equal(await page.locator("dialog").count(), 0);
  wasQuiet([dee, eli]);
});

test("profile and password, and the devices one is logged in on", async () => {
  const fay = await player("Fay");
  const { page } = fay;
  await visit(fay, "/account", "[name=bio]");
  await page.fill("[name=bio]", "Plays <i>slowly</i>.");
  await page.fill("input[name=location]", "Lund");
  await page.click(".own >> text=Save");
  await page.waitForSelector(".toast >> text=Saved");
  await visit(fay, "/@/Fay", ".bio");
  assert.equal(await page.textContent(".bio"), "Plays <i>slowly</i>.");
  assert.match(await page.textContent(".facts"), /Lund/);

  const other = await elsewhere("Fay", PASSWORD);
  await visit(fay, "/account", ".plain li >> nth=1");
  // The session from before signing up may be among them: every other one is ended.
  const sessions = page.locator("[aria-label='Where you are logged in'] li");
  for (let left = await sessions.count(); left > 1; left -= 1) {
    await page.click(".plain li:not(:has-text('This device')) >> text=Log out");
    await page.waitForFunction((count) => document.querySelectorAll("[aria-label='Where you are logged in'] li").length === count, left - 1);
  }
  assert.notEqual((await other.ask("/api/account")).body.username, "Fay");

  const third = await elsewhere("Fay", PASSWORD);
  await page.fill("[name=old]", "not-the-password");
  await page.fill("[name=new]", "battery-staple");
  await page.click("text=Change the password");
  await page.waitForSelector(".wrong >> text=not your present password");
  await page.fill("[name=old]", PASSWORD);
  await page.click("text=Change the password");
  await page.waitForSelector(".toast >> text=Changed");
  assert.notEqual((await third.ask("/api/account")).body.username, "Fay");
  assert.equal((await fay.ask("/api/account")).body.username, "Fay");
  assert.equal((await third.ask("/api/login", { username: "Fay", password: PASSWORD })).status, 401);

  const last = await elsewhere("Fay", "battery-staple");
  await page.click(".own >> text=Log out everywhere");
  await page.click("dialog .btn");
  await page.waitForURL(/\/login/);
  for (const person of [fay, last]) assert.notEqual((await person.ask("/api/account")).body.username, "Fay");
  wasQuiet([fay, other, third, last], /40[13]/);
});

test("a token is made, shown once, used and deleted", async () => {
  const gil = await player("Gil");
  const { page } = gil;
  await visit(gil, "/account", "#tokens summary");
  await page.click("#tokens summary");
  await page.fill("#tokens [name=description]", "My program");
  await page.check("#tokens [value='challenge:read']");
  await page.click("#tokens >> text=Make the token");
  const token = await page.inputValue(".fresh input");
  assert.match(token, /^spr_/);
  // A clipboard that takes nothing: it is not said to be copied, but stands ready to be.
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("no leave")) }));
  await page.click(".fresh button");
  await page.waitForSelector(".toast >> text=Not copied");
  assert.equal(await page.evaluate(() => getSelection().toString()), token);
  await page.waitForSelector("#tokens li >> text=never used");
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const seen = await fetch(`${server.url}/api/challenge`, bearer);
  assert.equal(seen.status, 200);
  const refused = await fetch(`${server.url}/api/challenge`, { ...bearer, method: "POST", body: new URLSearchParams({ variant: "hogga" }) });
  assert.deepEqual([refused.status, (await refused.json()).reason], [403, "missingScope"]);
  await page.reload();
  await page.waitForSelector("#tokens li >> text=last used");
  assert.equal(await page.locator(".fresh input").count(), 0, "a token is shown once");
  await page.click("#tokens li >> text=Delete");
  await page.waitForSelector("text=You have no tokens");
  assert.equal((await fetch(`${server.url}/api/challenge`, bearer)).status, 401);
  wasQuiet([gil]);
});

test("an account is closed only with password and name, and its games stay", async () => {
  const [hal, ivo] = [await player("Hal"), await player("Ivo")];
  await play(hal, ivo, { rated: true }, "resign");
  const { page } = hal;
  await visit(hal, "/account", ".own");
  await page.click(".own >> text=Close the account…");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.fill("dialog [name=typed]", "Somebody");
  await page.click("dialog >> text=Close it for good");
  await page.waitForSelector("dialog .wrong >> text=Type Hal to confirm");
  await page.fill("dialog [name=typed]", "Hal");
  await page.click("dialog >> text=Close it for good");
  await page.waitForSelector("dialog .wrong >> text=not your present password");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog >> text=Close it for good");
  await page.waitForURL(`${server.url}/`);
  assert.notEqual((await hal.ask("/api/account")).body.username, "Hal");
  assert.equal((await hal.ask("/api/login", { username: "Hal", password: PASSWORD })).status, 401);
  await visit(ivo, "/@/Hal", ".game-row");
  await ivo.page.waitForSelector("text=This account is closed");
  assert.equal(await ivo.page.locator(".player-head .btn").count(), 0);
  assert.equal(await ivo.page.locator(".perfs").count(), 0);
  wasQuiet([hal, ivo], /403/);
});

test("a guest comes back in another browser by the personal link", async () => {
  const guest = await Person.open(browser, server);
  const [other] = await people({});
  const { username } = (await guest.ask("/api/account")).body;
  await visit(guest, "/account", ".own");
  assert.match(await guest.page.textContent(".own h2"), new RegExp(username));
  await guest.page.click("text=Make a link");
  const link = await guest.page.inputValue(".fresh input");
  assert.match(link, /\/come#./);
  // The page of the link may be called by another name than the one the test knows the server by.
  const { pathname, hash } = new URL(link);
  await other.page.goto(server.url + pathname + hash);
  await other.page.waitForURL(`${server.url}/`);
  await other.page.waitForSelector(`header >> text=${username}`, { state: "attached" });
  assert.equal((await other.ask("/api/account")).body.username, username);
  await guest.page.click("text=Make a link");
  await guest.page.waitForFunction((old) => document.querySelector(".fresh input").value !== old, link);
  const [late] = await people({});
  await visit(late, pathname + hash, ".message");
  assert.match(await late.page.textContent(".message"), /does not work/);
  wasQuiet([guest, other, late], /401/);
});

test("a challenge from elsewhere, and the ready check, stand over any page", async () => {
  const [kit, liv] = [await player("Kit"), await player("Liv")];
  // Whoever comes too often at first is asked again who they are, and hears of everything then.
  await kit.page.route("**/api/guest", (route) => route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { reason: "tooFast" } }), { times: 1 });
  await visit(kit, "/rules", ".shelf");
  const direct = await liv.ask("/api/challenge/Kit", { variant: "hogga", "clock.limit": 300, "clock.increment": 3 });
  assert.equal(direct.status, 200, JSON.stringify(direct.body));
  await kit.page.waitForSelector(".notice >> text=Liv challenges you: Hogga · 5+3");
  await kit.page.click(".notice >> text=Decline");
  await kit.page.waitForSelector(".notice", { state: "detached" });
  assert.equal((await liv.ask(`/api/challenge/${direct.body.id}/show`)).body.status, "declined");

  // Kit posts a challenge and reads the rules; whoever accepts it rings.
  const posted = await kit.ask("/api/challenge", { variant: "caterpillarWar", "clock.limit": 300, "clock.increment": 3 });
  await visit(kit, "/players", ".kinds");
  const accepted = await liv.ask(`/api/challenge/${posted.body.id}/accept`, {});
  assert.equal(accepted.body.ready, false, JSON.stringify(accepted.body));
  await kit.page.waitForSelector(".notice-ring >> text=Liv accepts your challenge");
  await kit.page.click(".notice-ring button:has-text('Start')");
  await kit.page.waitForSelector(".bd.live rect.hit");
  wasQuiet([kit, liv], /429/);
});

test("nothing scrolls sideways at any size", async () => {
  const sizes = [["desk", 1280, 800, ["light"]], ["phone", 390, 844, ["dark"]], ["tablet", 768, 1024, ["light"]]];
  const [moa, nils] = [await player("Moa-with-a-long-name"), await player("Nils")];
  await play(moa, nils, { rated: true }, "resign");
  for (const [name, width, height, schemes] of sizes) {
    await moa.page.setViewportSize({ width, height });
    for (const [page, path, ready] of [["players", "/players", ".kinds"], ["player", "/@/Nils", ".game-row"], ["own", "/@/Moa-with-a-long-name", ".game-row"], ["account", "/account", ".plain li"]]) {
      await visit(moa, path, ready);
      const wide = await moa.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(wide, 0, `${page} scrolls sideways at ${width}`);
      for (const scheme of schemes) {
        await moa.page.emulateMedia({ colorScheme: scheme });
        await moa.page.screenshot({ path: `${import.meta.dirname}/shots/${page}-${name}-${scheme}.png`, fullPage: true });
      }
    }
  }
  wasQuiet([moa, nils]);
});
