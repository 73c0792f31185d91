// Shared setup of the browser tests: server process, Debian's Chromium, and players with pages.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { after, afterEach, beforeEach } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient, PASSWORD } from "./player.mjs";
import { DESKTOP } from "./viewports.mjs";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Saves 5 % of the CPU time of a page.
  "--in-process-gpu",
];

// Below the ports that the kernel gives to connections: none takes it before the server binds it.
const freePort = () =>
  new Promise((resolve) => {
    const port = 10000 + Math.floor(Math.random() * 20000);
    const probe = createServer();
    probe.once("error", () => resolve(freePort()));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });

/** Returns the first of `count` adjacent free ports. */
export const freePorts = async (count) => {
  const first = await freePort();
  const isFree = (port) =>
    new Promise((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
  for (let port = first + 1; port < first + count; port += 1)
    if (!(await isFree(port))) return freePorts(count);
  return first;
};

/** Timeout of every wait in milliseconds. It limits failures only: no check measures speed. */
export const TIMEOUT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 60000);

/** Repeats a check until it succeeds; throws after `timeoutMs`. */
export const waitUntil = async (description, condition, timeoutMs = TIMEOUT_MS) => {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting until ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/**
 * Completes a request of the page: everything that the page has received before is handled, and
 * every request that it has sent before has reached the routes of the test.
 */
export const roundTrip = (page) =>
  page.evaluate(() => fetch("/healthz").then((response) => response.text()));

const waitForServer = (url) =>
  waitUntil(`${url} answers`, () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** Server process with its own database; it can be killed and restarted. */
export class Server {
  /**
   * Starts a server with additional arguments and with raised rate limits. An argument can be a
   * function that returns several for the URL of the server.
   */
  static async start(...args) {
    const server = new Server();
    server.folder = mkdtempSync(join(tmpdir(), "sprong-"));
    server.port = await freePort();
    server.url = `http://127.0.0.1:${server.port}`;
    server.args = args.flatMap((arg) => (typeof arg === "function" ? arg(server.url) : arg));
    await server.startProcess().catch(async (error) => {
      await server.stop();
      throw error;
    });
    return server;
  }

  async startProcess() {
    const binary = process.env.SPRONG_BINARY;
    if (!binary) throw new Error("SPRONG_BINARY names the server to test");
    const limits = [
      "--request-timeout-ms",
      "120000",
      "--login-limit",
      "1000",
      "--guest-limit",
      "1000",
      "--write-limit",
      "100000",
      "--read-limit",
      "100000",
      "--position-limit",
      "100000",
      "--player-message-limit",
      "2000",
      "--spectator-message-limit",
      "2000",
      "--engine-nice",
      "0",
      "--ready-check-limit",
      "100000",
      "--challenge-limit",
      "100000",
      "--challenges-per-address",
      "1000",
      "--challenges-per-guest",
      "1000",
      "--aborts-max",
      "1000",
      "--unattended-after-ms",
      "86400000",
    ];
    this.process = spawn(
      binary,
      [
        "--addr",
        `127.0.0.1:${this.port}`,
        "--database",
        join(this.folder, "sprong.db"),
        "--log",
        "warn",
        ...limits,
        ...this.args,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    this.process.stderr.on("data", (text) => {
      this.log = (this.log ?? "") + text;
    });
    await waitForServer(`${this.url}/readyz`);
  }

  /** Returns the log without the warnings of a slow machine. */
  get unexpectedLog() {
    return (this.log ?? "")
      .split("\n")
      .filter((line) => !/nobody could play|Outage recorded|slow (statement|threshold)/.test(line))
      .join("\n");
  }

  kill(signal = "SIGKILL") {
    return new Promise((resolve) => {
      this.process.once("exit", (code) => resolve(code));
      this.process.kill(signal);
    });
  }

  /** Runs `sprong admin` with these arguments; returns its output. */
  admin(...command) {
    const database = join(this.folder, "sprong.db");
    return String(
      execFileSync(process.env.SPRONG_BINARY, ["admin", "--database", database, ...command]),
    );
  }

  async stop() {
    // Undefined if SPRONG_BINARY names no program.
    if (this.process && this.process.exitCode === null && this.process.signalCode === null)
      await this.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts Chromium; once more if it crashes then, as it rarely does beside a busy compiler. */
export const launchBrowser = () => {
  const launch = () =>
    chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: FLAGS,
    });
  return launch().catch((error) => {
    if (!/Segmentation fault/.test(error.message)) throw error;
    return launch();
  });
};

/**
 * Starts a browser and a server for all tests of a file; closes both after the last test. Setup
 * that can fail belongs in a test or in `before`: failures at module level are not reported.
 */
export const startServerAndBrowser = async (...args) => {
  const browser = await launchBrowser();
  const server = await Server.start(...args).catch(async (error) => {
    await browser.close();
    throw error;
  });
  // Stops the server if the file fails before its first test: `after` would not run.
  const killServer = () => server.process.kill("SIGKILL");
  process.once("uncaughtExceptionMonitor", killServer);
  beforeEach(() => process.off("uncaughtExceptionMonitor", killServer));
  after(async () => {
    await browser.close();
    await server.stop();
  });
  return { server, browser };
};

/** Slows down the scripts of a page by a factor, as on an old phone; 1 is full speed. */
export const throttle = async (page, rate) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
};

/** Slowdown factor of all pages. */
const THROTTLE = Number(process.env.THROTTLE ?? 1);

/** Browser contexts of the current test, closed after it: open pages slow down later tests. */
const openContexts = new Set();
beforeEach(() => openContexts.clear());
afterEach(async (test) => {
  if (!test.passed) await reportPages(test.name);
  await Promise.all([...openContexts].map((context) => context.close()));
});

/** Prints what the open pages of a failed test show. */
const reportPages = async (name) => {
  for (const page of [...openContexts].flatMap((context) => context.pages())) {
    const text = page.evaluate(() => document.body.innerText.replace(/\s+/g, " ").slice(0, 800));
    const late = new Promise((resolve) => setTimeout(resolve, 5000, "(no response)"));
    const shown = await Promise.race([text.catch(({ message }) => message), late]);
    console.error(`after the failure of "${name}", ${page.url()} shows: ${shown}`);
  }
};

/** User with a browser page; `errors` collects errors of the page. */
export class User extends ApiClient {
  /**
   * Opens a user at a path, or at no page if `path` is null; registers an account if `name` is set.
   * Blocks service workers unless `serviceWorkers` is "allow": every context would fill its own
   * offline cache.
   */
  static async open(browser, server, { name, ...options } = {}, path = "/") {
    const user = new User();
    user.server = server;
    user.errors = [];
    const context = await browser.newContext({
      ...DESKTOP,
      locale: "en-GB",
      serviceWorkers: "block",
      reducedMotion: process.env.MOTION ?? "reduce",
      ...options,
    });
    openContexts.add(context);
    // Applies to further pages of the same context.
    if (THROTTLE > 1) context.on("page", (page) => throttle(page, THROTTLE).catch(() => {}));
    user.page = await context.newPage();
    if (THROTTLE > 1) await throttle(user.page, THROTTLE);
    user.page.setDefaultTimeout(TIMEOUT_MS);
    user.page.on("pageerror", (error) => user.errors.push(error.message));
    user.page.on("console", (message) => {
      // Some tests stop the server: refused connections are expected.
      if (message.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(message.text()))
        user.errors.push(message.text());
    });
    if (name) await user.register(name);
    if (path !== null) await user.page.goto(server.url + path);
    if (path === "/") await user.page.waitForSelector(".lobby", { state: "attached" });
    return user;
  }

  async signUp(name) {
    const { page } = this;
    await page.click("text=Sign up");
    await page.fill("[name=username]", name);
    await page.fill("[name=password]", PASSWORD);
    await page.click("button[type=submit]");
    await this.keepWords();
    await page.waitForURL(`${this.server.url}/`);
    await page.waitForSelector(`header >> text=${name}`);
    this.name = name;
    return this;
  }

  /** Confirms the recovery words of a new account; returns them. */
  async keepWords() {
    const { page } = this;
    await page.waitForSelector(".recovery-words li");
    const words = await page.locator(".recovery-words li").allTextContents();
    await page.click(".recovery >> text=I have them");
    return words;
  }

  /**
   * Sends a request with the cookies of this page; returns the status and JSON body. Retries once
   * if the server has closed the idle connection that the request was about to use.
   */
  async request(path, body) {
    const { request } = this.page.context();
    const response =
      body === undefined
        ? await request.get(this.server.url + path, { maxRetries: 1 })
        : await request.post(this.server.url + path, { data: body, maxRetries: 1 });
    return { status: response.status(), body: await response.json() };
  }

  /**
   * Opens a page and waits for the selector `ready`. A page goes to a game that has started by
   * itself, which interrupts the navigation to the same game.
   */
  async visit(path, ready) {
    const url = this.server.url + path;
    await this.page.goto(url).catch(async (error) => {
      if (!/interrupted by another navigation|ERR_ABORTED/.test(error.message)) throw error;
      await this.page.waitForURL(url);
    });
    await this.page.waitForSelector(ready);
  }

  /** Scrolls to the challenge form of the first page, which loads on approach, and waits for it. */
  async scrollToChallengeForm() {
    await this.page.waitForSelector(".lobby > .challenge-form", { state: "attached" });
    await this.page.evaluate(() =>
      document.querySelector(".lobby > .challenge-form").scrollIntoView(),
    );
    await this.page.waitForSelector(".lobby form.challenge-form");
  }

  /** Returns the window coordinates of the center of a cell. */
  async cellCenter(name) {
    const cell = this.page.locator(`[data-cell="${name}"]`);
    // A board that is being redrawn has cells without a bounding box.
    let box;
    await waitUntil(`the cell ${name} is visible`, async () => {
      await cell.waitFor({ state: "visible" });
      box = await cell.boundingBox();
      return box !== null;
    });
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Clicks a cell of the board. */
  async clickCell(name) {
    await this.page.mouse.click(...(await this.cellCenter(name)));
  }

  /** Makes a move by clicks and waits until all given players see it. */
  async move(cells, ply, viewers) {
    for (const cell of cells) await this.clickCell(cell);
    await Promise.all(viewers.map((user) => user.waitForPly(ply)));
  }

  /** Waits until the given ply is the current move in the list. */
  waitForPly(ply) {
    return this.page.waitForSelector(`.game-moves button[data-ply="${ply}"][aria-current="true"]`, {
      state: "attached",
    });
  }

  /** Returns the cells that the board offers. */
  selectableCells() {
    return this.page.$$eval("rect.board-cell.is-selectable", (cells) =>
      cells.map((cell) => cell.dataset.cell),
    );
  }

  async rating(variant) {
    return (await this.request("/api/account")).body.perfs[variant].rating;
  }
}
