// E-mail: the address on the account page, its confirmation, a forgotten password, and the end of
// reminders, with a mail server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { legalMoves } from "./support/analysis.mjs";
import { mailArguments, startMailServer } from "./support/mail-server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { PHONE } from "./support/viewports.mjs";

const mail = await startMailServer();
const { server, browser } = await startServerAndBrowser(
  mailArguments(mail.url),
  "--digest-delay-ms",
  "500",
);

const NEW_PASSWORD = "battery-staple";

const openUser = (options) => User.open(browser, server, options, null);

/** Returns the link to a path of the server in a message. */
const linkIn = (text, path) => {
  const link = text.split(/\s/).find((word) => word.startsWith(`${server.url}${path}`));
  assert.ok(link, text);
  return link.slice(server.url.length);
};

/** Adds an address on the account page, and opens the link that confirms it. */
const addAddress = async (user, address) => {
  const { page } = user;
  await user.visit("/account", "#email >> text=No address yet.");
  await page.click("#email >> text=Add an address");
  await page.fill("dialog [name=email]", address);
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  await page.waitForSelector(`#email >> text=We sent a link to ${address}`);
  const path = linkIn(await mail.next(), "/confirm-email#");
  await user.visit(path, "main >> text=Confirm the address");
  assert.ok(!page.url().includes("#"), "the token is not in the address bar");
  await page.click("main >> text=Confirm the address");
};

test("an address is added, confirmed and removed", async () => {
  const ann = await openUser({ name: "MailAnn" });
  const { page } = ann;
  await ann.visit("/account", "#email");
  await page.click("#email >> text=Add an address");
  await page.fill("dialog [name=email]", "ann@mail.example");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=not your current password");
  await page.keyboard.press("Escape");
  await addAddress(ann, "ann@mail.example");
  await page.waitForSelector("text=ann@mail.example now belongs to the account MailAnn");
  await page.click("text=To the account page");
  await page.waitForSelector("#email >> text=Your address: ann@mail.example");
  await page.click("#email >> text=Remove the address");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  await page.waitForSelector("#email >> text=No address yet.");
  assert.match(await mail.next(), /^Subject: The e-mail address of MailAnn was removed$/m);
  await ann.visit("/confirm-email", "text=This link is incomplete.");
  await ann.visit("/confirm-email#nothing", "main .btn-primary");
  await page.click("text=Confirm the address");
  await page.waitForSelector("text=This link was used or replaced");
  assertNoErrors(server, [ann], /40[13]/);
});

test("the log-in offers e-mail beside words and the operator", async () => {
  const ann = await openUser({});
  const { page } = ann;
  const operator = "main >> text=The operator of this site can make a link for you";
  await ann.visit("/login#login", "form");
  await page.click("text=Forgot your password?");
  await page.waitForSelector("[name=word]");
  await page.waitForSelector(operator);
  await page.click("main button >> text=Send me a link by e-mail");
  await page.waitForSelector("main >> text=If your account has an e-mail address");
  assert.equal(await page.locator("[name=word]").count(), 0);
  await page.waitForSelector(operator);
  await page.click("main button >> text=Use a recovery word");
  await page.waitForSelector("[name=word]");
  await page.waitForSelector("main button >> text=Send me a link by e-mail");
  assertNoErrors(server, [ann]);
});

test("a forgotten password is replaced by e-mail on a phone", async () => {
  const bob = await openUser({ name: "MailBob", ...PHONE });
  await addAddress(bob, "bob@mail.example");
  await bob.page.waitForSelector("text=now belongs to the account MailBob");
  const elsewhere = await openUser(PHONE);
  const { page } = elsewhere;
  await elsewhere.visit("/login#forgot", "[name=word]");
  await page.click("text=Send me a link by e-mail");
  await page.click("text=Use a recovery word");
  await page.waitForSelector("[name=word]");
  await page.click("text=Send me a link by e-mail");
  await page.fill("[name=username]", "BOB@mail.example");
  await page.click("main [type=submit]");
  await page.waitForSelector("text=the link is on its way");
  await elsewhere.visit(linkIn(await mail.next(), "/reset#"), "[name=password]");
  await page.fill("[name=password]", NEW_PASSWORD);
  await page.click("main [type=submit]");
  await page.waitForSelector("h1 >> text=Welcome back, MailBob");
  assert.match(await mail.next(), /^Subject: MailBob has a new password$/m);
  assertNoErrors(server, [bob, elsewhere], /401/);
});

test("reminders are switched on and stopped by their link", async () => {
  const cat = await openUser({ name: "MailCat" });
  const dan = await openUser({ name: "MailDan" });
  await addAddress(cat, "cat@mail.example");
  await cat.page.waitForSelector("text=now belongs to the account MailCat");
  const fields = { variant: "hogga", days: 3, color: "second", rated: false };
  const { body } = await cat.request("/api/challenge", fields);
  await dan.request(`/api/challenge/${body.id}/accept`, {});
  const [u] = await legalMoves(dan, { variant: "hogga" });
  const played = await dan.request(`/api/board/game/${body.id}/move/${u}`, {});
  assert.equal(played.status, 200);
  await cat.visit("/account", "#email [role=switch]");
  await cat.page.click("#email [role=switch]:has-text('before my time runs out')");
  await waitUntil("the reminders before deadlines are off", async () => {
    const { body: settings } = await cat.request("/api/account/email");
    return !settings.reminders;
  });
  await cat.page.click("#email [role=switch]:has-text('when games wait')");
  await waitUntil("the reminders are on", async () => {
    const { body: settings } = await cat.request("/api/account/email");
    return settings.digest;
  });
  // Closes the sockets: the player is absent.
  await cat.page.goto("about:blank");
  const digest = await mail.next();
  assert.match(digest, /^Subject: One game waits for you$/m);
  assert.ok(digest.includes(`${server.url}/${body.id}`), digest);
  const path = linkIn(digest, "/unsubscribe?token=");
  const stranger = await openUser({});
  await stranger.visit(path, "text=Stop the daily messages");
  await stranger.page.click("main button >> text=Stop the daily messages");
  await stranger.page.waitForSelector("text=no more daily messages by e-mail");
  const { body: settings } = await cat.request("/api/account/email");
  assert.equal(settings.digest, false);
  await cat.request("/api/account/reminders", { email: true });
  await stranger.visit(`${path}&reminders=true`, "text=Stop the reminders before deadlines");
  await stranger.page.click("main button >> text=Stop these reminders");
  await stranger.page.waitForSelector("text=no more e-mail before deadlines");
  const { body: after } = await cat.request("/api/account/email");
  assert.equal(after.reminders, false);
  assertNoErrors(server, [cat, dan, stranger]);
});
