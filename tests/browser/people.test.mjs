// Followed players and last opponents, and private notes on games.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

/** Opens a browser with an account and without the lobby, which would redirect to each new game. */
const openUser = (name) => User.open(browser, server, { name }, null);

test("a followed player is listed and comes first at home", async () => {
  const [ann, bob, zoe] = [
    await openUser("FolAnn"),
    await openUser("FolBob"),
    await openUser("FolZoe"),
  ];
  const game = await ann.startGame(bob, "hogga", { days: 3 });
  await bob.visit("/rules", "main h1");
  await zoe.visit("/rules", "main h1");
  const { page } = ann;
  await ann.visit("/following", "main h1");
  await page.waitForSelector("text=You follow nobody yet");
  const row = page.locator("[aria-label='Last opponents'] li");
  assert.equal(await row.count(), 1);
  assert.match(await row.textContent(), /FolBob.*Last game/s);
  assert.equal(await row.locator("text=Watch").getAttribute("href"), `/${game}`);
  await row.locator("text=Follow").press("Enter");
  const followed = page.locator("[aria-label='You follow'] li");
  await followed.locator("text=FolBob").waitFor();
  await row.locator("text=Unfollow").waitFor();
  assert.equal(await page.locator("text=You follow nobody yet").isVisible(), false);

  await ann.visit("/@/FolZoe", ".player-head .btn");
  await page.click(".player-head >> text=Follow");
  await page.waitForSelector(".player-head >> text=Unfollow");
  await page.reload();
  await page.waitForSelector(".player-head >> text=Unfollow");
  await ann.visit("/", ".people li");
  // One who is not followed, and comes first by name.
  const aab = await openUser("AabFirst");
  await aab.visit("/rules", "main h1");
  const names = () => page.locator(".people li b").allTextContents();
  await waitUntil("the followed players come first", async () => {
    const [first, second, ...others] = await names();
    return first === "FolBob" && second === "FolZoe" && others.includes("AabFirst");
  });
  assert.equal(await page.locator(".people li", { hasText: "FolZoe" }).locator("svg").count(), 1);
  assert.equal(await page.locator(".people li", { hasText: "FolAnn" }).count(), 0);

  // A block ends it.
  await ann.visit("/@/FolZoe", ".player-head .btn");
  await page.click(".player-head >> text=Block");
  await page.waitForSelector("text=You have blocked FolZoe");
  assert.equal(await page.locator(".player-head >> text=Unfollow").count(), 0);
  await page.click(".player-head >> text=Unblock");
  await page.locator(".player-head").getByText("Follow", { exact: true }).waitFor();
  await ann.visit("/following", "[aria-label='You follow'] li");
  assert.deepEqual(await followed.locator(".user-link a").allTextContents(), ["FolBob"]);
  await followed.locator("text=Unfollow").press("Enter");
  await page.waitForSelector("text=You follow nobody yet");
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.match(focused, /You follow nobody yet/);
  assertNoErrors(server, [ann, bob, zoe, aab]);
});

test("only followed players may challenge, if the account says so", async () => {
  const [ann, bob] = [await openUser("OnlyAnn"), await openUser("OnlyBob")];
  await ann.visit("/account", "#challenges [value=followed]");
  await ann.page.check("#challenges [value=followed]");
  await ann.page.waitForSelector("text=Saved.");
  const challenge = () => bob.request("/api/challenge/onlyann", { variant: "hogga", days: 3 });
  assert.equal((await challenge()).body.reason, "noChallenges");
  await ann.visit("/@/OnlyBob", ".player-head .btn");
  await ann.page.click(".player-head >> text=Follow");
  await ann.page.waitForSelector(".player-head >> text=Unfollow");
  assert.equal((await challenge()).status, 200);
  assertNoErrors(server, [ann, bob], /403/);
});

test("a guest sees last opponents and cannot follow", async () => {
  const guest = await User.open(browser, server, {}, "/players");
  const ann = await openUser("GuestAnn");
  const game = await guest.startGame(ann, "hogga", { days: 3 });
  // The open page goes to the game that begins.
  await guest.page.waitForURL(`${server.url}/${game}`);
  await guest.visit("/following", "[aria-label='Last opponents'] li");
  assert.equal(await guest.page.locator("main").getByText("Follow", { exact: true }).count(), 0);
  await guest.page.waitForSelector("text=Sign up to follow players");
  await guest.visit("/@/GuestAnn", ".player-head .btn");
  assert.equal(await guest.page.locator(".player-head >> text=Follow").count(), 0);
  assertNoErrors(server, [guest, ann]);
});

for (const [device, viewport] of [
  ["desktop", { width: 1280, height: 800 }],
  ["phone", { width: 360, height: 640 }],
])
  test(`a player keeps a private note on a game (${device})`, async () => {
    const [ann, bob] = [await openUser(`Note${device}`), await openUser(`Other${device}`)];
    const game = await ann.startGame(bob, "hogga", { days: 3 });
    const { page } = ann;
    await page.setViewportSize(viewport);
    await ann.visit(`/${game}`, ".game-board");
    const open = async (user) => {
      const button = user.page.locator(".game-info >> text=Note");
      if (!(await button.isVisible())) await user.page.click(".game-title-button");
      await button.click();
      await user.page.waitForSelector("dialog textarea");
    };
    await open(ann);
    await page.fill("dialog textarea", "Guard the corner.\nTrade early.");
    await page.click("dialog >> text=Save");
    await page.waitForSelector("text=Saved.");
    await page.reload();
    await page.waitForSelector(".game-board");
    await open(ann);
    assert.equal(await page.inputValue("dialog textarea"), "Guard the corner.\nTrade early.");
    await page.fill("dialog textarea", " ");
    await page.click("dialog >> text=Save");
    await page.waitForSelector("dialog", { state: "detached" });
    await open(ann);
    assert.equal(await page.inputValue("dialog textarea"), "");
    await page.press("dialog textarea", "Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    await bob.visit(`/${game}`, ".game-board");
    await open(bob);
    assert.equal(await bob.page.inputValue("dialog textarea"), "");
    assertNoErrors(server, [ann, bob]);
  });
