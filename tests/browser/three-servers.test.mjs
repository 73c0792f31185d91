// Two players on different servers of one site play a whole game through the load balancer of
// `deploy/three-nodes`, while the server of one of them is killed: neither reloads the page.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { recordedGames } from "../client/support/server-rules.mjs";
import { User, freePorts, launchBrowser, waitUntil } from "./support/server.mjs";
import { makeMove, waitForGame } from "./support/game.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot } from "./support/viewports.mjs";

const NAMES = ["one", "two", "three"];

/** Site of three servers. */
class ThreeServers {
  async start() {
    this.port = await freePorts(4);
    this.url = `http://127.0.0.1:${this.port}`;
    this.output = "";
    this.process = spawn("deploy/three-nodes", [String(this.port)], {
      cwd: new URL("../..", import.meta.url),
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream.on("data", (text) => {
        this.output += text;
      });
    await waitUntil("the site is ready", () => {
      assert.equal(this.process.exitCode, null, this.output);
      return this.output.includes("The site is on");
    });
  }

  /** Kills the process of a server. */
  kill(name) {
    const [, id] = this.output.match(new RegExp(`Server ${name} runs on .* as process (\\d+)`));
    process.kill(Number(id), "SIGKILL");
  }

  stop() {
    return new Promise((resolve) => {
      this.process.once("exit", resolve);
      this.process.kill("SIGTERM");
    });
  }
}

const site = new ThreeServers();
let browser;
before(async () => {
  browser = await launchBrowser();
  await site.start();
});
after(async () => {
  await browser.close();
  await site.stop();
});

/** Notes which server has each new socket of the game's page. */
const watchServer = async (user) => {
  const session = await user.page.context().newCDPSession(user.page);
  const gameSockets = new Set();
  session.on("Network.webSocketCreated", ({ requestId, url }) => {
    if (url.includes("/ws/game/")) gameSockets.add(requestId);
  });
  session.on("Network.webSocketHandshakeResponseReceived", ({ requestId, response }) => {
    const served = Object.entries(response.headers).find(([name]) => /^x-served-by$/i.test(name));
    if (gameSockets.has(requestId)) user.servedBy = served[1];
  });
  await session.send("Network.enable");
};

test("a whole game goes on while the server of a player is killed", async () => {
  const ann = await User.open(browser, site, { ...DESKTOP, name: "Ann" }, null);
  const bob = await User.open(browser, site, { ...PHONE, name: "Bob" }, null);
  const { variant, options, moves } = recordedGames.find(({ name }) => name === "kopfOderKnopf");
  const [option, value] = options.split("=");
  const id = await ann.startGame(bob, variant, {
    [`options.${option}`]: value,
    rated: true,
    "clock.limit": 600,
  });
  for (const user of [ann, bob]) {
    await watchServer(user);
    await user.page.goto(`${site.url}/${id}`);
  }
  await waitForGame(id, ann, bob);
  while (ann.servedBy === bob.servedBy) {
    await bob.page.reload();
    await waitForGame(id, bob);
  }
  assert.ok(NAMES.includes(ann.servedBy) && NAMES.includes(bob.servedBy));
  // Lost by a reload.
  for (const { page } of [ann, bob]) await page.evaluate(() => (window.isFirstPage = true));
  const killed = bob.servedBy;
  for (const [ply, u] of moves.entries()) {
    if (ply === Math.floor(moves.length / 2)) {
      site.kill(killed);
      await screenshot(bob.page, "three-servers-killed");
    }
    const mover = ply % 2 === 0 ? ann : bob;
    await makeMove(mover, u);
    if (ply === moves.length - 1) break;
    for (const user of [ann, bob]) await user.waitForPly(ply + 1);
  }
  for (const user of [ann, bob]) {
    await user.page.waitForSelector(".game-result");
    assert.ok(await user.page.evaluate(() => window.isFirstPage), "the page was reloaded");
    await screenshot(user.page, `three-servers-end-${user.name}`);
  }
  assert.notEqual(bob.servedBy, killed);
  for (const user of [ann, bob]) assert.notEqual(await user.rating(variant), 1500);
  assertNoPageErrors([ann, bob], /50[0-9]/);
});
