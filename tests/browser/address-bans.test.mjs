// Bans of addresses on the moderators' page, with a server behind a trusted proxy: browsers of the
// tests report their addresses as a proxy would.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkView, moderatorOpener } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { SMALL_PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser(
  "--trusted-proxy",
  "127.0.0.1",
  // Otherwise the server warns.
  (url) => ["--public-origin", url],
);

const openModerator = moderatorOpener({ server, browser });

/** Returns browser options of a client of the proxy. */
const from = (address) => ({ extraHTTPHeaders: { "x-forwarded-for": address } });

const HOME = "192.0.2.7";
const ELSEWHERE = "192.0.2.8";

const openUser = (options) => User.open(browser, server, options, null);

const logIn = async ({ page }, name) => {
  await page.goto(`${server.url}/privacy`);
  await page.goto(`${server.url}/login#login`);
  await page.fill("[name=username]", name);
  await page.fill("[name=password]", PASSWORD);
  await page.click("main [type=submit]");
};

/** Bans the address of the account of the page, for some days or for good (0). */
const banAddress = async (page, days) => {
  await page.click("#origins >> text=Ban the address");
  await page.selectOption("dialog [name=days]", String(days));
  await page.fill("dialog [name=reason]", "Flood");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector("#origins li >> text=Address banned");
};

test("a banned address lets nobody log in and says until when", async () => {
  const cas = await openUser({ name: "Cas", ...from(HOME) });
  const eve = await openUser({ name: "Eve", ...from(HOME) });
  const mo = await openModerator("MoAddress", from("198.51.100.1"));
  const { page } = mo;
  await mo.visit("/admin?user=cas", `#origins li >> text=${HOME}`);
  await page.waitForSelector("#origins a >> text=Eve");
  await banAddress(page, 3);
  const row = page.locator("#origins li", { hasText: HOME });
  assert.match(await row.innerText(), /Flood\n.*until .* by MoAddress/s);
  await row.scrollIntoViewIfNeeded();
  await checkView(page, "banned-address-desktop");

  // Neither account, in a browser that the ban did not know.
  const home = await openUser({ ...SMALL_PHONE, ...from(HOME) });
  const refusal = ".form-error >> text=A moderator has banned this address or this browser until";
  for (const name of ["Cas", "Eve"]) {
    await logIn(home, name);
    await home.page.waitForSelector(refusal);
  }
  await checkView(home.page, "banned-address-small");
  await home.page.goto(`${server.url}/privacy`);
  await home.page.goto(`${server.url}/login`);
  await home.page.fill("[name=username]", "Newcomer");
  await home.page.fill("[name=password]", PASSWORD);
  await home.page.click("main [type=submit]");
  await home.page.waitForSelector(refusal);
  // Sessions from before go on, and another address is not concerned.
  await eve.visit("/players", "header >> text=Eve");
  const elsewhere = await openUser(from(ELSEWHERE));
  await logIn(elsewhere, "Cas");
  await elsewhere.page.waitForSelector("header >> text=Cas");

  await mo.visit("/admin?view=bans", `.account-list li >> text=${HOME}`);
  await page.click(".account-list >> text=Lift");
  await page.fill("dialog [name=reason]", "An appeal");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("main >> text=No bans.");
  await logIn(home, "Cas");
  await home.page.waitForSelector("header >> text=Cas");
  await mo.visit("/admin?view=log", ".account-list li >> text=Address banned");
  await page.waitForSelector(".account-list li >> text=Ban lifted");
  assertNoErrors(server, [cas, eve, mo, home, elsewhere], /40[13]/);
});

test("an address that is banned for good says whom to write to", async () => {
  const address = "203.0.113.9";
  const dan = await openUser({ name: "Dan", ...from(address) });
  const mo = await openModerator("MoForGood", from("198.51.100.1"));
  await mo.visit("/admin?user=dan", `#origins li >> text=${address}`);
  await banAddress(mo.page, 0);
  const row = mo.page.locator("#origins li", { hasText: address });
  assert.match(await row.innerText(), /for good/);

  const visitor = await openUser(from(address));
  await logIn(visitor, "Dan");
  const refusal = "you cannot log in, sign up or play as a guest from here";
  await visitor.page.waitForSelector(`.form-error >> text=${refusal}`);
  // Nor can anybody play as a guest.
  await visitor.visit("/lobby", `main >> text=${refusal}`);
  assertNoErrors(server, [dan, mo, visitor], /40[13]/);
});
