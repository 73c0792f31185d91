// What the browser tests share: a server of their own, Debian's Chromium, players at their pages.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { after, afterEach, beforeEach } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asker, PASSWORD } from "./player.mjs";
import { DESK } from "./sight.mjs";

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

/** How long a test waits for a condition before it fails, in milliseconds. It limits failures only: no check measures speed. */
export const PATIENCE = Number(process.env.PATIENCE ?? 60000);

/** Repeats a check until it holds; fails after so many milliseconds. */
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

/** The server as a process on its own database; it can be killed and started again. */
export class Server {
  /** A server with those settings, besides the wide limits that tests need. */
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

  /** The lines of its log, except warnings that a busy machine was slow: an outage, and a slow database connection. */
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
 * A browser, and a server with those settings, for all tests of a file: both are closed after the last of them.
 * What may fail is done in a test or `before` all of them, not beside them: without a test nobody is told.
 */
export const house = async (...settings) => {
  const browser = await launch();
  const server = await Server.start(...settings).catch(async (error) => {
    await browser.close();
    throw error;
  });
  // A file that fails before its first test ends at once, and the server would go on without it.
  const leave = () => server.process.kill("SIGKILL");
  process.once("uncaughtExceptionMonitor", leave);
  beforeEach(() => process.off("uncaughtExceptionMonitor", leave));
  after(async () => {
    await browser.close();
    await server.stop();
  });
  return { server, browser };
};

/** Slows down the scripts of a page by that factor, as on an old phone; 1 is the machine's own speed. */
export const throttle = async (page, rate) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
};

/** The factor by which all pages of a run are slowed down. */
const THROTTLE = Number(process.env.THROTTLE ?? 1);

/** What the test under way has opened. Pages that nobody looks at any more take the time of those that are tested. */
const opened = new Set();
beforeEach(() => opened.clear());
afterEach(() => Promise.all([...opened].map((context) => context.close())));

/** Somebody at a page of their own; what goes wrong in the page is kept in `errors`. */
export class Person extends Asker {
  /**
   * Somebody new, at that path; with null at no page of ours. With `name` they have an account. Without
   * `serviceWorkers: "allow"` nothing is kept for times without a network: it would be kept anew for everybody.
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
    // Further pages of the same person are slowed down as well.
    if (THROTTLE > 1) context.on("page", (page) => throttle(page, THROTTLE).catch(() => {}));
    person.page = await context.newPage();
    if (THROTTLE > 1) await throttle(person.page, THROTTLE);
    person.page.setDefaultTimeout(PATIENCE);
    person.page.on("pageerror", (error) => person.errors.push(error.message));
    person.page.on("console", (message) => {
      // A connection that is refused while the server is down is what some tests are about.
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

  /** Makes a request by hand, with this page's cookie. */
  async ask(path, body) {
    const { request } = this.page.context();
    const response =
      body === undefined
        ? await request.get(this.server.url + path)
        : await request.post(this.server.url + path, { data: body });
    return { status: response.status(), body: await response.json() };
  }

  /** Goes to a page, and waits for what belongs on it. */
  async visit(path, ready) {
    await this.page.goto(this.server.url + path);
    await this.page.waitForSelector(ready);
  }

  /** Comes near the form of a new challenge on the first page, which is loaded then. */
  async toForm() {
    await this.page.waitForSelector(".lobby > .new", { state: "attached" });
    await this.page.evaluate(() => document.querySelector(".lobby > .new").scrollIntoView());
    await this.page.waitForSelector(".lobby form.new");
  }

  /** Where the middle of a cell is in the window. */
  async middle(name) {
    const cell = this.page.locator(`[data-cell="${name}"]`);
    // A board that is drawn anew at this moment has its cells, but no place for them yet.
    let box = null;
    while (box === null) {
      await cell.waitFor({ state: "visible" });
      box = await cell.boundingBox();
    }
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** Clicks on a cell of the board. */
  async cell(name) {
    await this.page.mouse.click(...(await this.middle(name)));
  }

  /** Makes a move by clicks, and waits until everybody given has seen it. */
  async move(cells, ply, seenBy) {
    for (const cell of cells) await this.cell(cell);
    await Promise.all(seenBy.map((person) => person.sees(ply)));
  }

  /** Waits until the move of that ply stands in the list, and is drawn. */
  sees(ply) {
    return this.page.waitForSelector(`.moves button[data-ply="${ply}"][aria-current="true"]`, {
      state: "attached",
    });
  }

  /** The cells offered on the board. */
  offered() {
    return this.page.$$eval("rect.hit.own", (cells) => cells.map((cell) => cell.dataset.cell));
  }

  async rating(variant) {
    return (await this.ask("/api/account")).body.perfs[variant].rating;
  }
}
