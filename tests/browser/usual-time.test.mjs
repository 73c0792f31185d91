// Time of the day at which people usually play, in the time zone of the viewer: in a search that
// has no result, and on the home page of a user who is the only one online.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { Player } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

/** Half an hour beside full hours in UTC. */
const ZONE = "Asia/Kolkata";

let players;
before(async () => {
  players = [await Player.create(server, "Anke"), await Player.create(server, "Mats")];
});

/** Starts games between people until there are `total`; returns the counts by hour in UTC. */
const startGames = async (total) => {
  const [anke, mats] = players;
  const count = async () => (await anke.get("/api/account/playing")).nowPlaying.length;
  for (let n = await count(); n < total; n += 1) await anke.startGame(mats, "hogga", { days: 3 });
};

test("usual time of fewer than ten games is not told", async () => {
  await startGames(9);
  const user = await User.open(browser, server, { name: "Joris", timezoneId: ZONE }, "/");
  await user.page.waitForSelector(".people-empty:not([hidden])");
  assert.equal(
    await user.page.textContent(".people-empty"),
    "Nobody else with an account is online right now.",
  );
  assertNoErrors(server, [user]);
});

test("usual time is told in the time zone of the viewer", async (context) => {
  await startGames(10);
  // The counts are cached: another process has none.
  await server.kill("SIGTERM");
  await server.startProcess();
  const { games, hours } = await players[0].get("/api/games/hours");
  assert.equal(games, 10);
  const around = hours.map((count, hour) => count + hours[(hour + 23) % 24]);
  const hour = around.indexOf(Math.max(...around));
  const format = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: ZONE,
  });
  const time = format.format(new Date().setUTCHours(hour, 0, 0, 0));
  assert.match(time, /^\d\d:30$/);
  context.diagnostic(time);

  const user = await User.open(browser, server, { name: "Sanna", timezoneId: ZONE, ...PHONE }, "/");
  const { page } = user;
  await page.waitForSelector(`.people-empty >> text=Usually someone comes around ${time}.`);
  await page.goto(`${server.url}/find`);
  await page.getByRole("button", { name: "Start looking" }).click();
  await page.waitForSelector(
    `.find-progress >> text=Nobody yet. Usually someone comes around ${time}.`,
  );
  await screenshot(page, "find-usual-time-phone");
  assertNoErrors(server, [user]);
});
