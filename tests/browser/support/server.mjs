// Shared setup of the browser tests: server process, Debian's Chromium, and players with pages.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { after, afterEach, beforeEach } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asker, PASSWORD } from "./player.mjs";
import { DESK } from "./viewports.mjs";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

/** Timeout of every wait in milliseconds. It limits failures only: no check measures speed. */
export const PATIENCE = Number(process.env.PATIENCE ?? 60000);

/** Repeats a check until it succeeds; throws after `patience` milliseconds. */
export const until = async (what, holds, patience = PATIENCE) => {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`timed out waiting until ${what}`);
    await new Promise((next) => setTimeout(next, 25));
  }
};

const answers = (url) =>
  until(`${url} answers`, () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  );

/** Server process with its own database; it can be killed and restarted. */
export class Server {
  /** Starts a server with additional arguments and with raised rate limits. */
  static async start(...settings) {
    const server = new Server();
    server.settings = settings;
    server.folder = mkdtempSync(join(tmpdir(), "sprong-"));
    server.port = await freePort();
    server.url = `http://127.0.0.1:${server.port}`;
    await server.up().catch(async (error) => {
      await server.stop();
      throw error;
    });
    return server;
  }

  async up() {
    const binary = process.env.SPRONG_BINARY;
    if (!binary) throw new Error("SPRONG_BINARY names the server to test");
    const limits = [
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
        ...this.settings,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    this.process.stderr.on("data", (text) => {
      this.log = (this.log ?? "") + text;
    });
    await answers(`${this.url}/readyz`);
  }

  /** Returns the log without warnings of a slow machine: outages and slow database connections. */
  get faults() {
    return (this.log ?? "")
      .split("\n")
      .filter((line) => !/nobody could play|Outage recorded|slow threshold/.test(line))
      .join("\n");
  }

  kill(signal = "SIGKILL") {
    return new Promise((done) => {
      this.process.once("exit", (code) => done(code));
      this.process.kill(signal);
    });
  }

  async stop() {
    if (this.process.exitCode === null && this.process.signalCode === null)
      await this.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: FLAGS,
  });

/**
 * Starts a browser and a server for all tests of a file; closes both after the last test. Setup that
 * can fail belongs in a test or in `before`: failures at module level are not reported.
 */
export const house = async (...settings) => {
  const browser = await launch();
  const server = await Server.start(...settings).catch(async (error) => {
    await browser.close();
    throw error;
  });
  // Stops the server if the file fails before its first test: `after` would not run.
  const leave = () => server.process.kill("SIGKILL");
  process.once("uncaughtExceptionMonitor", leave);
  beforeEach(() => process.off("uncaughtExceptionMonitor", leave));
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
const opened = new Set();
beforeEach(() => opened.clear());
afterEach(() => Promise.all([...opened].map((context) => context.close())));

/** Player with a browser page; `errors` collects errors of the page. */
export class Person extends Asker {
  /**
   * Opens a player at a path, or at no page if `path` is null; registers an account if `name` is
   * set. Blocks service workers unless `serviceWorkers` is "allow": every context would fill its own
   * offline cache.
   */
  static async open(browser, server, { name, ...options } = {}, path = "/") {
    const person = new Person();
    person.server = server;
    person.errors = [];
    const context = await browser.newContext({
      ...DESK,
      locale: "en-GB",
      serviceWorkers: "block",
      reducedMotion: process.env.MOTION ?? "reduce",
      ...options,
    });
    opened.add(context);
    // Applies to further pages of the same context.
    if (THROTTLE > 1) context.on("page", (page) => throttle(page, THROTTLE).catch(() => {}));
    person.page = await context.newPage();
    if (THROTTLE > 1) await throttle(person.page, THROTTLE);
    person.page.setDefaultTimeout(PATIENCE);
    person.page.on("pageerror", (error) => person.errors.push(error.message));
    person.page.on("console", (message) => {
      // Some tests stop the server: refused connections are expected.
      if (message.type() === "error" && !/ERR_CONNECTION|WebSocket/.test(message.text()))
        person.errors.push(message.text());
    });
    if (name) await person.register(name);
    if (path !== null) await person.page.goto(server.url + path);
    if (path === "/") await person.page.waitForSelector(".lobby", { state: "attached" });
    return person;
  }

  async signUp(name) {
    const { page } = this;
    await page.click("text=Sign up");
    await page.fill("[name=username]", name);
    await page.fill("[name=password]", PASSWORD);
    await page.click("button[type=submit]");
    await page.waitForURL(`${this.server.url}/`);
    await page.waitForSelector(`header >> text=${name}`);
    this.name = name;
    return this;
  }

  /**
   * Sends a request with the cookies of this page; returns the status and JSON body. Retries once if
   * the server has closed the idle connection that the request was about to use.
   */
  async ask(path, body) {
    const { request } = this.page.context();
    const response =
      body === undefined
        ? await request.get(this.server.url + path, { maxRetries: 1 })
        : await request.post(this.server.url + path, { data: body, maxRetries: 1 });
    return { status: response.status(), body: await response.json() };
  }

  /** Opens a page and waits for the selector `ready`. */
  async visit(path, ready) {
    await this.page.goto(this.server.url + path);
    await this.page.waitForSelector(ready);
  }

  /** Scrolls to the challenge form of the first page, which loads on approach, and waits for it. */
  async toForm() {
    await this.page.waitForSelector(".lobby > .challenge-form", { state: "attached" });
    await this.page.evaluate(() =>
      document.querySelector(".lobby > .challenge-form").scrollIntoView(),
    );
    await this.page.waitForSelector(".lobby form.challenge-form");
  }

  /** Returns the window coordinates of the center of a cell. */
  async middle(name) {
    const cell = this.page.locator(`[data-cell="${name}"]`);
    // A board that is being redrawn has cells without a bounding box.
    let box = null;
    while (box === null) {
      await cell.waitFor({ state: "visible" });
      box = await cell.boundingBox();
    }
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Clicks a cell of the board. */
  async cell(name) {
    await this.page.mouse.click(...(await this.middle(name)));
  }

  /** Makes a move by clicks and waits until all given players see it. */
  async move(cells, ply, seenBy) {
    for (const cell of cells) await this.cell(cell);
    await Promise.all(seenBy.map((person) => person.sees(ply)));
  }

  /** Waits until the given ply is the current move in the list. */
  sees(ply) {
    return this.page.waitForSelector(`.game-moves button[data-ply="${ply}"][aria-current="true"]`, {
      state: "attached",
    });
  }

  /** Returns the cells that the board offers. */
  offered() {
    return this.page.$$eval("rect.board-cell.is-selectable", (cells) =>
      cells.map((cell) => cell.dataset.cell),
    );
  }

  async rating(variant) {
    return (await this.ask("/api/account")).body.perfs[variant].rating;
  }
}
