// Invitations by link: the dialog that makes them, the page for guests and accounts in every state,
// sign-up and login on the way, and requests for a casual game. Two browser contexts each, from the
// link to the first move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { PASSWORD, Player } from "./support/player.mjs";
import { REJECTED_REQUEST } from "./support/challenges.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { waitForGame } from "./support/game.mjs";
import { PHONE, SMALL_PHONE, horizontalOverflow, screenshotAll } from "./support/viewports.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";

const { server, browser } = await startServerAndBrowser();

const RATED = { variant: "hogga", rated: true, days: 3, listed: false };
const DEVICES = Object.entries({ desktop: {}, phone: PHONE, "small-phone": SMALL_PHONE });

const openUser = (options, path = null) => User.open(browser, server, options, path);
const action = ({ page }, text) => page.locator(`.challenge-page-actions .btn:text-is("${text}")`);
const pageText = (user, text) => user.page.waitForSelector(`.challenge-page >> text=${text}`);

/** Opens the page of a challenge. */
const openInvitation = (user, id) => user.visit(`/${id}`, ".challenge-page");

/** Creates a challenge by link; returns its creator, without a page, and its id. */
const invite = async (name, fields = RATED) => {
  const creator = await Player.create(server, name);
  const { id } = await creator.post("/api/challenge", fields);
  return { creator, id };
};

/** Fills in and submits the form for an account on a page. */
const submitCredentials = async ({ page }, name) => {
  await page.fill("[name=username]", name);
  await page.fill("[name=password]", PASSWORD);
  await page.click("form button[type=submit]");
};

/** Asserts that the page of a challenge fits the window and can be operated by touch. */
const assertUsable = async ({ page }) => {
  assert.ok((await horizontalOverflow(page)) <= 0);
  const small = await page.locator(".challenge-page :is(.btn, button, a)").evaluateAll((controls) =>
    controls
      .filter((control) => control.checkVisibility())
      .map((control) => [control.textContent, control.getBoundingClientRect().height])
      .filter(([, height]) => height < 44),
  );
  assert.deepEqual(small, []);
};

test("the address of an invitation is not cut", async () => {
  const ann = await openUser({ name: "LinkAnn" });
  const { id } = await ann.post("/api/challenge", RATED);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    await ann.page.setViewportSize({ width, height });
    await ann.visit(`/${id}`, ".share-link input");
    const cut = await ann.page.$eval(".share-link input", (el) => el.scrollWidth - el.clientWidth);
    assert.equal(cut, 0, `${width}`);
  }
});

test("a visitor is told that the creator of a challenge is away", async () => {
  const terms = { variant: "hogga", listed: false, "clock.limit": 300 };
  const { id } = await invite("FarAnn", terms);
  const guest = await openUser({ ...SMALL_PHONE });
  await openInvitation(guest, id);
  const note = guest.page.locator(".challenge-page-away");
  assert.equal(await note.textContent(), "FarAnn is away. We'll ask them when you accept.");
  await assertUsable(guest);
  // A game without a clock can begin without its creator.
  const { id: daily } = await invite("FarBob", { ...terms, "clock.limit": undefined, days: 3 });
  await openInvitation(guest, daily);
  await action(guest, "Play").waitFor();
  assert.equal(await note.isVisible(), false);
  assertNoErrors(server, [guest]);
});

for (const [device, options] of DEVICES)
  test(`guest plays from the link to the first move on a ${device}`, async () => {
    const ann = await openUser({ name: `Link-${device}`, ...options }, "/");
    await ann.page.click("text=Invite a friend");
    const dialog = ann.page.locator("dialog.dialog");
    await dialog.locator(".invite-games [aria-checked=true] >> text=Let them choose").waitFor();
    assert.equal(await dialog.locator(".invite-games button").count(), 6);
    const isDays = await dialog.locator("[data-value=days]").getAttribute("aria-checked");
    assert.equal(isDays, String(device !== "desktop"));
    await dialog.locator("[data-value=hogga]").click();
    await dialog.locator("[data-value=days]").click();
    await ann.page.screenshot({
      path: `${import.meta.dirname}/shots/invite-dialog-${device}.png`,
    });
    await dialog.locator("text=Make the link").click();
    await pageText(ann, "Waiting for your friend");
    await pageText(ann, "Open for 7 days");
    await pageText(ann, "You can close this page. The game appears under Your games.");
    await assertUsable(ann);
    const link = await ann.page.inputValue(".challenge-page .share-link input");
    const id = new URL(link).pathname.slice(1);
    const { rated, kind } = await ann.get(`/api/challenge/${id}/show`);
    assert.deepEqual([rated, kind], [false, "link"]);

    const guest = await openUser(options);
    await guest.page.addInitScript(recordLayoutShifts);
    await guest.page.goto(link);
    await pageText(guest, `Link-${device} invites you to Hogga.`);
    await pageText(guest, "Bring all twelve of your pieces across the board");
    await pageText(guest, "You play as guest");
    await guest.page.waitForSelector(".challenge-page-board svg");
    assert.equal(
      await action(guest, "How to play (1 min)").getAttribute("href"),
      `/learn/hogga?game=${id}`,
    );
    const lesson = await guest.page.context().newPage();
    await lesson.goto(`${server.url}/learn/hogga?game=${id}`);
    await lesson.click("text=Back to the game");
    await lesson.waitForURL(link);
    await lesson.close();
    await assertUsable(guest);
    const play = action(guest, "Play");
    const { y, height } = await play.boundingBox();
    assert.ok(height >= 52, `${height}`);
    const tabs = await guest.page.locator(".site-header nav").boundingBox();
    const bottom = device === "desktop" ? guest.page.viewportSize().height : tabs.y;
    assert.ok(y + height <= bottom, "Play is on the first screen");
    const shifts = await takeLayoutShifts(guest.page);
    assert.ok(totalShift(shifts) < 0.01, JSON.stringify(shifts));
    await play.click();
    await waitForGame(id, ann, guest);
    const [first, second] = (await guest.legalMoves(id)) ? [guest, ann] : [ann, guest];
    await first.play(id);
    await second.waitForPly(1);
    assert.equal((await guest.get(`/api/game/${id}`)).rated, false);
    assertNoErrors(server, [ann, guest], REJECTED_REQUEST);
  });

test("invitation leaves the game to the friend", async () => {
  const ann = await openUser({ name: "AnyAnn" }, "/");
  await ann.page.click("text=Invite a friend");
  await ann.page.click("dialog [data-value=days]");
  await ann.page.click("dialog >> text=Make the link");
  await pageText(ann, "Waiting for your friend");
  const guest = await openUser(PHONE);
  await guest.page.goto(ann.page.url());
  await pageText(guest, "AnyAnn invites you to a game.");
  assert.equal(await guest.page.locator(".option-list [role=radio]").count(), 5);
  await guest.page.click(".option-list [data-value=wieNietWegIs]");
  await pageText(guest, "Get your own stones off the board");
  const lesson = await action(guest, "How to play (1 min)").getAttribute("href");
  assert.match(lesson, /^\/learn\/wieNietWegIs/);
  await action(guest, "Play").click();
  const id = new URL(ann.page.url()).pathname.slice(1);
  await waitForGame(id, ann, guest);
  assert.equal((await guest.get(`/api/game/${id}`)).variant.key, "wieNietWegIs");
  assertNoErrors(server, [ann, guest], REJECTED_REQUEST);
});

test("guest signs up on a rated invitation and plays at once", async () => {
  const { creator, id } = await invite("RatedAnn");
  const guest = await openUser(PHONE);
  await openInvitation(guest, id);
  await pageText(guest, "This is a rated game, so it needs an account.");
  assert.equal(await action(guest, "Play").count(), 0);
  await assertUsable(guest);
  await action(guest, "Sign up").click();
  // The page polls the challenge: the form keeps what was typed, and the focus.
  await guest.page.fill("[name=username]", "RatedAnn");
  await creator.get(`/api/challenge/${id}/show`);
  await guest.page.fill("[name=password]", PASSWORD);
  await guest.page.click("form button[type=submit]");
  await guest.page.waitForSelector("form .form-error:not(:empty)");
  await submitCredentials(guest, "RatedGuest");
  await waitForGame(id, guest);
  const game = await guest.get(`/api/game/${id}`);
  assert.equal(game.rated, true);
  assert.ok([game.first.name, game.second.name].includes("RatedGuest"));
  assertNoErrors(server, [guest], REJECTED_REQUEST);
});

test("sign-up of an excluded guest leads to the reason", async () => {
  const { id } = await invite("NarrowAnn", { ...RATED, ratingRange: "1600-1700" });
  const guest = await openUser({});
  await openInvitation(guest, id);
  await action(guest, "Sign up").click();
  await submitCredentials(guest, "NarrowGuest");
  await pageText(guest, "Your rating 1500 is below 1600");
  assert.equal(
    await action(guest, "Challenge NarrowAnn").getAttribute("href"),
    "/lobby?to=NarrowAnn",
  );
  await screenshotAll(guest.page, "invitation-excluded");
  assertNoErrors(server, [guest], REJECTED_REQUEST);
});

test("login from an invitation continues with the game", async () => {
  const { id } = await invite("LoginAnn");
  await Player.create(server, "LoginBob");
  const bob = await openUser({});
  await openInvitation(bob, id);
  await bob.page.click("text=Have an account? Log in");
  await bob.page.waitForURL(/\/login\?next=/);
  await submitCredentials(bob, "LoginBob");
  await waitForGame(id, bob);
  assert.equal((await bob.get(`/api/game/${id}`)).rated, true);
  assertNoErrors(server, [bob], REJECTED_REQUEST);
});

test("sign-up by the header returns to the invitation", async () => {
  const { id } = await invite("HeaderAnn");
  const guest = await openUser({});
  await openInvitation(guest, id);
  await guest.page.click(".site-header >> text=Sign up");
  await guest.page.waitForURL(/\/login/);
  await submitCredentials(guest, "HeaderGuest");
  await guest.keepWords();
  await guest.page.waitForURL(`${server.url}/${id}`);
  await action(guest, "Play").click();
  await waitForGame(id, guest);
  assertNoErrors(server, [guest], REJECTED_REQUEST);
});

test("an invitation is kept for a short time only", async () => {
  const { id } = await invite("LaterAnn");
  const guest = await openUser({});
  await openInvitation(guest, id);
  await guest.page.evaluate((challenge) => {
    const at = Date.now() - 3600000;
    sessionStorage.setItem("invitation", JSON.stringify({ id: challenge, choice: {}, at }));
  }, id);
  await guest.register("LaterGuest");
  await guest.page.reload();
  await action(guest, "Play").waitFor();
  await waitUntil("the invitation is forgotten", async () =>
    guest.page.evaluate(() => sessionStorage.getItem("invitation") === "{}"),
  );
  assert.equal((await guest.get(`/api/challenge/${id}/show`)).status, "created");
  assertNoErrors(server, [guest], REJECTED_REQUEST);
});

test("no address of another site follows a login", async () => {
  for (const [at, next] of [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
  ].entries()) {
    const user = await openUser({});
    await user.page.goto(`${server.url}/login?next=${encodeURIComponent(next)}`);
    await submitCredentials(user, `Next-${at}`);
    await user.keepWords();
    await user.page.waitForURL(`${server.url}/`);
    assertNoErrors(server, [user], REJECTED_REQUEST);
  }
});

test("creator elsewhere grants a casual game", async () => {
  const { id } = await invite("CasualAnn");
  const ann = await openUser({});
  await ann.post("/api/login", { username: "CasualAnn", password: PASSWORD });
  await ann.visit("/rules", ".site-header .header-self");
  const guest = await openUser(PHONE);
  await openInvitation(guest, id);
  await action(guest, "Ask for a casual game").click();
  await pageText(guest, "You asked CasualAnn for a casual game.");
  assert.equal(await action(guest, "Ask for a casual game").count(), 0);
  const notice = ann.page.locator(".notice");
  await notice.locator("text=has no account. Play casual instead?").waitFor();
  await ann.page.screenshot({ path: `${import.meta.dirname}/shots/casual-notice.png` });
  await notice.locator("text=Yes, play casual").click();
  await waitForGame(id, ann, guest);
  assert.equal((await guest.get(`/api/game/${id}`)).rated, false);
  const [first, second] = (await guest.legalMoves(id)) ? [guest, ann] : [ann, guest];
  await first.play(id);
  await second.waitForPly(1);
  assertNoErrors(server, [ann, guest], REJECTED_REQUEST);
});

test("creator on the page of the challenge declines a casual game", async () => {
  const { id } = await invite("StrictAnn");
  const ann = await openUser(PHONE);
  await ann.post("/api/login", { username: "StrictAnn", password: PASSWORD });
  await openInvitation(ann, id);
  const guest = await openUser({});
  await openInvitation(guest, id);
  await action(guest, "Ask for a casual game").click();
  await pageText(ann, "Your friend has no account. Play casual instead?");
  await assertUsable(ann);
  await screenshotAll(ann.page, "invitation-question", { fullPage: true });
  await ann.page.click(".challenge-page-question .btn:text-is('No')");
  await ann.page.waitForSelector(".challenge-page-question", { state: "detached" });
  await pageText(guest, "StrictAnn prefers a rated game. Sign up to play it.");
  await action(guest, "Sign up").click();
  await submitCredentials(guest, "StrictGuest");
  await waitForGame(id, ann, guest);
  assert.equal((await guest.get(`/api/game/${id}`)).rated, true);
  assertNoErrors(server, [ann, guest], REJECTED_REQUEST);
});

test("request waits for a creator who is away", async () => {
  const { creator, id } = await invite("AwayAnn", {
    variant: "hogga",
    rated: true,
    "clock.limit": 600,
    listed: false,
  });
  const guest = await openUser({});
  await openInvitation(guest, id);
  await action(guest, "Ask for a casual game").click();
  await pageText(guest, "AwayAnn isn't here right now.");
  await screenshotAll(guest.page, "invitation-asked");
  const { id: guestId } = await guest.post("/api/guest", {});
  // The guest leaves: the game begins when they are back.
  await guest.page.goto("about:blank");
  await waitUntil("the request waits for the guest", async () => {
    const { casualRequests } = await creator.get(`/api/challenge/${id}/show`);
    return casualRequests.length === 1 && !casualRequests[0].by.online;
  });
  const { waiting } = await creator.post(`/api/challenge/${id}/casual/${guestId}`, {
    answer: "yes",
  });
  assert.equal(waiting, true);
  const ann = await openUser({});
  await ann.post("/api/login", { username: "AwayAnn", password: PASSWORD });
  await openInvitation(ann, id);
  await openInvitation(guest, id);
  await pageText(guest, "AwayAnn agreed to a casual game.");
  await action(guest, "Play").click();
  await waitForGame(id, ann, guest);
  assert.equal((await guest.get(`/api/game/${id}`)).rated, false);
  assertNoErrors(server, [ann, guest], REJECTED_REQUEST);
});

test("visitor learns that the invitation is taken", async () => {
  const { creator, id } = await invite("TakenAnn", { ...RATED, rated: false });
  const [late, outsider, bob] = [await openUser({}), await openUser(PHONE), await openUser({})];
  await openInvitation(late, id);
  await bob.post("/api/guest", {});
  await bob.post(`/api/challenge/${id}/accept`, {});
  // The visitor who had the page open, and one who opens the link afterwards.
  await outsider.page.goto(`${server.url}/${id}`);
  for (const user of [late, outsider]) {
    await pageText(user, "Someone is already playing TakenAnn here.");
    await assertUsable(user);
  }
  await screenshotAll(late.page, "invitation-taken");
  await late.page.click(".challenge-page >> text=Watch");
  await waitForGame(id, late);
  // Links of the site lead to the game itself.
  await outsider.visit("/live", `a[href="/${id}"]`);
  await outsider.page.click(`a[href="/${id}"]`);
  await waitForGame(id, outsider);
  await creator.resign(id);
  assertNoErrors(server, [late, outsider, bob], REJECTED_REQUEST);
});

test("closed invitations name what can be done", async () => {
  const { creator, id } = await invite("EndAnn", {
    ...RATED,
    rated: false,
    expiresAt: Date.now() + 3000,
  });
  const guest = await openUser(PHONE);
  await openInvitation(guest, id);
  await guest.page.waitForSelector(".challenge-page >> text=This challenge has expired");
  const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" }).format();
  await pageText(guest, `This link is from ${date}.`);
  await screenshotAll(guest.page, "invitation-expired");
  assert.equal(await action(guest, "Challenge EndAnn").count(), 1);
  const { id: canceled } = await creator.post("/api/challenge", { ...RATED, rated: false });
  await openInvitation(guest, canceled);
  await creator.post(`/api/challenge/${canceled}/cancel`, {});
  await pageText(guest, "Challenge canceled");
  assert.equal(await action(guest, "Challenge EndAnn").count(), 1);
  const { id: closed } = await creator.post("/api/challenge", { ...RATED, rated: false });
  await creator.post("/api/account/close", { password: PASSWORD });
  await openInvitation(guest, closed);
  await pageText(guest, "EndAnn's account is closed.");
  assert.equal(await action(guest, "Challenge EndAnn").count(), 0);
  await guest.page.goto(`${server.url}/Zz9Zz9Zz`);
  await guest.page.waitForSelector("text=Page not found");
  assertNoErrors(server, [guest], /status of 4\d\d/);
});

test("blocked players and other accounts get a reason", async () => {
  const { creator, id } = await invite("BlockAnn");
  const bob = await openUser({ name: "BlockBob" });
  await creator.post("/api/rel/block/BlockBob", {});
  await openInvitation(bob, id);
  await pageText(bob, "You can't accept this one");
  assert.equal(await action(bob, "Challenge BlockAnn").count(), 0);
  assert.equal(await action(bob, "Play someone else").count(), 1);
  const cleo = await openUser({ name: "BlockCleo" });
  const { id: named } = await creator.post("/api/challenge/BlockCleo", {
    variant: "hogga",
    days: 3,
  });
  await openInvitation(cleo, named);
  await pageText(cleo, "BlockAnn challenges you to Hogga.");
  await action(cleo, "Decline").click();
  await cleo.page.click(".dialog [data-reason=later]");
  await pageText(cleo, "Challenge declined");
  assertNoErrors(server, [bob, cleo], REJECTED_REQUEST);
});

test("creator of two seats can cancel them", async () => {
  const ann = await openUser({ name: "SeatsAnn" });
  const { id } = await ann.post("/api/challenge/open", { variant: "hogga" });
  await openInvitation(ann, id);
  await action(ann, "Cancel").click();
  await pageText(ann, "Challenge canceled");
  const { status } = await ann.get(`/api/challenge/${id}/show`);
  assert.equal(status, "canceled");
  assertNoErrors(server, [ann], REJECTED_REQUEST);
});

test("account is a link where a challenge needs one", async () => {
  const { creator } = await invite("ListAnn");
  const { id } = await creator.post("/api/challenge", { variant: "hogga", rated: true, days: 3 });
  const { id: seats } = await creator.post("/api/challenge/open", {
    variant: "hogga",
    rated: true,
    days: 3,
  });
  const guest = await openUser({});
  await openInvitation(guest, id);
  await pageText(guest, "This is a rated game, so it needs an account.");
  assert.equal(await action(guest, "Ask for a casual game").count(), 0);
  await action(guest, "Sign up").click();
  await guest.page.waitForSelector(".challenge-page form");
  await openInvitation(guest, seats);
  await guest.page.click(".challenge-page >> text=Sign up");
  await guest.page.waitForURL(`${server.url}/login?next=%2F${seats}`);
  assertNoErrors(server, [guest], REJECTED_REQUEST);
});
