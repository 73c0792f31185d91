// Every page of the site in its typical states, for checks that hold everywhere.
//
// `visitAllPages` prepares users, challenges and games on an empty server and visits the pages in
// order. Used by the tests of accessibility, colors and sizes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedGames } from "../../client/support/server-rules.mjs";
import { PASSWORD } from "./player.mjs";
import { User, waitUntil } from "./server.mjs";

/**
 * Window sizes and colors; `theme` is the setting of the header's switch. The desktop is last, as
 * its pages keep the enlarged text of a check.
 */
export const VIEWPORTS = {
  phone: { width: 390, height: 844, colorScheme: "dark", theme: "system" },
  desktop: { width: 1280, height: 800, colorScheme: "light", theme: "system" },
};

/** Paths whose content depends on the first width: scripts read it, or load a form in view. */
const READS_WIDTH = /^\/(lobby|live)?$/;

/**
 * Starts a game and plays `plies` plies, each the first legal move; returns its id. The creator
 * moves first.
 */
const playGame = async (creator, acceptor, variant, plies, terms) => {
  const id = await creator.startGame(acceptor, variant, terms);
  for (let ply = 0; ply < plies; ply += 1) {
    const mover = ply % 2 ? acceptor : creator;
    await mover.play(id, (await mover.legalMoves(id))[0]);
  }
  return id;
};

/** Starts a search on its page, unless one is running. */
const startSearch = async (page) => {
  const look = page.locator(".find-look");
  if (await look.isVisible()) await look.press("Enter");
};

const phrases = Object.fromEntries(
  ["en", "nl", "sv"].map((language) => {
    const file = join(import.meta.dirname, `../../../static/i18n/${language}.json`);
    return [language, Object.assign({}, ...Object.values(JSON.parse(readFileSync(file, "utf8"))))];
  }),
);

/** Translates an English phrase into the language of a page. */
const translate = async (page, text) => {
  const key = Object.keys(phrases.en).find((name) => phrases.en[name] === text);
  return phrases[await page.evaluate(() => document.documentElement.lang)][key];
};

const SELECTABLE_CELL = ".board-svg.is-interactive rect.board-cell.is-selectable";

/** Users of these pages, with their challenges and games. */
class SiteFixture {
  static async create(browser, server) {
    const site = new SiteFixture();
    const names = ["Ada", "Bram", "Cato"];
    // No lobby is open: it would redirect to each new game.
    [site.ada, site.bram, site.cato] = await Promise.all(
      names.map((name) => User.open(browser, server, { name }, null)),
    );
    site.guest = await User.open(browser, server, {}, null);
    await site.guest.request("/api/guest", {});
    site.server = server;
    return site;
  }

  /** Creates challenges of each kind, and games in progress. */
  async createChallengesAndGames() {
    const { ada, bram, cato } = this;
    const createChallenge = (user, fields) =>
      user.post("/api/challenge", fields).then(({ id }) => id);
    this.openChallenge = await createChallenge(bram, {
      variant: "knightFight",
      "clock.limit": 300,
      "clock.increment": 3,
    });
    await createChallenge(bram, {
      variant: "hogga",
      rated: true,
      ratingRange: "1700-2000",
      "clock.limit": 300,
    });
    this.multiChallenge = await createChallenge(bram, {
      variants: "hogga,caterpillarWar,wieNietWegIs",
      clocks: "3d,300+3",
    });
    const named = { variant: "kopfOderKnopf", days: 2 };
    this.namedChallenge = (await bram.post("/api/challenge/Ada", named)).id;
    this.ownChallenge = await createChallenge(ada, { variant: "wieNietWegIs", "clock.limit": 300 });
    this.watchedGame = await playGame(bram, cato, "hogga", 4, {
      "clock.limit": 10800,
      rated: true,
    });
    this.game = await playGame(ada, bram, "caterpillarWar", 2, { "clock.limit": 10800 });
  }

  /** Makes Bram a moderator, and has Ada report Cato. */
  async report() {
    this.server.admin("grant-admin", "Bram");
    const game = this.watchedGame;
    await this.ada.post("/api/report", { username: "Cato", reason: "abuse", text: "Unkind", game });
  }

  addGameNight() {
    const start = new Date(Date.now() + 7200000).toISOString();
    this.server.admin("add-event", "hogga", start, "--weekly");
  }

  /** Plays a rated game that ends by resignation. */
  async finishGame() {
    const { ada, bram } = this;
    this.finishedGame = await playGame(ada, bram, "caterpillarWar", 4, { rated: true, days: 3 });
    await bram.resign(this.finishedGame);
  }

  /**
   * Creates invitations by link: open to guests, rated, canceled, expired, and accepted by another.
   */
  async createInvitations() {
    const { ada, bram } = this;
    const terms = { variant: "hogga", days: 3, rated: false, listed: false };
    const invite = async (fields) => (await ada.post("/api/challenge", { ...terms, ...fields })).id;
    const [open, rated, closed, expired, taken] = await Promise.all([
      invite({}),
      invite({ rated: true }),
      invite({}),
      invite({ expiresAt: Date.now() + 2000 }),
      invite({ variant: "kopfOderKnopf" }),
    ]);
    await ada.post(`/api/challenge/${closed}/cancel`, {});
    await bram.post(`/api/challenge/${taken}/accept`, {});
    this.invitations = { open, rated, closed, expired, taken };
    await waitUntil("the invitation has expired", async () => {
      const { status } = await ada.get(`/api/challenge/${expired}/show`);
      return status === "expired";
    });
  }

  /** Has the guest ask for a casual game in place of the rated invitation. */
  askForCasualGame() {
    return this.guest.post(`/api/challenge/${this.invitations.rated}/casual`, {});
  }

  /** Withdraws the challenge to Ada, whose notice would cover the heads of her pages. */
  withdrawNamedChallenge() {
    return this.bram.post(`/api/challenge/${this.namedChallenge}/cancel`, {});
  }

  /** Plays a game that Ada wins by the rules. */
  async finishGameByRules() {
    const { ada, bram } = this;
    const { moves } = recordedGames.find(({ name }) => name === "caterpillarWar-none");
    const terms = { days: 3, "options.step": "none", rated: false };
    this.wonGame = await ada.startGame(bram, "caterpillarWar", terms);
    for (const [ply, u] of moves.entries()) await [ada, bram][ply % 2].play(this.wonGame, u);
  }

  /** Plays the guest's first game, which the guest resigns. */
  async loseToComputer() {
    const fields = { level: 1, variant: "hogga", color: "first" };
    const { id } = await this.guest.post("/api/challenge/ai", fields);
    await this.guest.play(id);
    await waitUntil("the computer has moved", async () => {
      const { state } = await this.guest.get(`/api/game/${id}`);
      return state.moves.split(" ").length >= 2;
    });
    await this.guest.resign(id);
    this.lostGame = id;
  }

  offerDraw() {
    return this.bram.post(`/api/board/game/${this.game}/draw/yes`, {});
  }

  offerRematch() {
    return this.bram.post(`/api/board/game/${this.finishedGame}/rematch/yes`, {});
  }

  declineDraw() {
    return this.ada.post(`/api/board/game/${this.game}/draw/no`, {});
  }
}

/**
 * Returns the states in order: name, user, path, selector that shows it is ready, and preparations,
 * once (`before`) and before every check (`act`).
 */
const pageStates = (site) => {
  const { ada, bram, cato, guest } = site;
  const variants = ["hogga", "kopfOderKnopf", "wieNietWegIs", "caterpillarWar", "knightFight"];
  const openChallengeForm = async (page) => {
    await page.locator(".hero .quick-create").click();
    await page.waitForSelector("dialog.form-dialog[open] form, .lobby form.challenge-form");
  };
  const openDialog = (selector) => async (page) => {
    await page.locator(selector).first().click();
    await page.waitForSelector("dialog[open]");
  };
  /**
   * Returns an action that presses the first visible button of that English name. It uses a key, as
   * notices may cover the button in a small window.
   */
  const pressButton =
    (text, within = "body") =>
    async (page) => {
      const name = await translate(page, text);
      await page.locator(within).getByRole("button", { name, exact: true }).first().press("Enter");
    };
  const openDialogByButton = (name, within) => async (page) => {
    await pressButton(name, within)(page);
    await page.waitForSelector("dialog[open]");
  };
  // Only phones show the tab; its dialog fits every window.
  const openSettings = async (page) => {
    await page.locator(".header-more").dispatchEvent("click");
    await page.waitForSelector("dialog[open]");
  };
  const openInbox = async (page) => {
    await page.locator(".inbox-button").press("Enter");
    await page.waitForSelector("dialog[open] .notice");
  };
  const selectCell = async (page) => {
    await page.locator(SELECTABLE_CELL).first().dispatchEvent("click");
    await page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  };
  // Phones and wide windows have a button, others the link of the header.
  const openGameSettings = async (page) => {
    const label = { name: await translate(page, "Settings"), exact: true };
    await page.getByRole("button", label).or(page.getByRole("link", label)).first().press("Enter");
    await page.waitForSelector("dialog[open] .switch");
  };
  /** Returns an action that clicks cells and waits for their effect. */
  const tapCells = (cells, effect) => async (page) => {
    for (const cell of cells)
      await page
        .locator(`.board-svg.is-interactive rect[data-cell="${cell}"]`)
        .dispatchEvent("click");
    await page.waitForSelector(effect);
    // A later visit begins the lesson again.
    await page.evaluate(() => localStorage.removeItem("lessons"));
  };
  // Only small windows have the button: others show the chat.
  const openChat = async (page) => {
    const button = page.locator(".chat-button");
    if (await button.isVisible()) await button.press("Enter");
    await page.waitForSelector(".chat-panel input", { state: "visible" });
  };
  const gamePath = () => `/${site.game}`;
  return [
    ["home, nobody there", guest, "/", ".challenge-list-empty .btn"],
    [
      "home with challenges",
      ada,
      "/",
      ".challenge-card",
      { before: () => site.createChallengesAndGames() },
    ],
    ["the lobby", ada, "/lobby", ".challenge-card"],
    ["the form of a challenge", ada, "/", ".challenge-card", { act: openChallengeForm }],
    [
      "the form for the computer",
      ada,
      "/",
      ".challenge-card",
      { act: openDialog(".quick-play .btn.btn-large:not(.btn-primary)") },
    ],
    [
      "declining with a reason",
      ada,
      "/lobby",
      ".challenge-card",
      { act: openDialogByButton("Decline") },
    ],
    [
      "choosing one of several games",
      ada,
      "/lobby",
      ".challenge-card",
      {
        act: (page) =>
          openDialogByButton("Accept", `.challenge-card[data-id="${site.multiChallenge}"]`)(page),
      },
    ],
    [
      "against whom",
      ada,
      "/",
      ".challenge-card",
      { act: openDialog(".variant-list [data-key=hogga] button") },
    ],
    ["more places and settings", ada, "/", ".challenge-card", { act: openSettings }],
    ["the inbox", ada, "/rules", ".notice", { act: openInbox }],
    [
      "settings",
      guest,
      "/settings",
      ".settings-section",
      { before: () => site.withdrawNamedChallenge() },
    ],
    ["what Sprong is", guest, "/about", "main h1"],
    ["privacy", guest, "/privacy", "main h1"],
    ["the terms", guest, "/terms", "main h1"],
    [
      "the API",
      guest,
      "/api/docs",
      ".header-self",
      { act: (page) => page.locator("details summary").nth(12).click() },
    ],
    ["without a network", guest, "/offline", ".page-message"],
    ["logging in", guest, "/login", "form"],
    [
      "the queue of a moderator",
      bram,
      "/admin",
      ".account-list li",
      { before: () => site.report() },
    ],
    ["an account for moderators", bram, "/admin?user=Cato", "#actions"],
    ["newcomers, for moderators", bram, "/admin?view=arrivals", "[role=switch]"],
    ["the log of moderators", bram, "/admin?view=log", ".account-list li"],
    ["a forgotten password", guest, "/login#forgot", "[name=word]"],
    [
      "a forgotten password by e-mail",
      guest,
      "/login#forgot",
      "main >> text=Send me a link by e-mail",
      { act: (page) => page.click("text=Send me a link by e-mail") },
    ],
    ["a reset link", guest, "/reset#nothing", "[name=password]"],
    ["the link that confirms an address", guest, "/confirm-email#nothing", "main .btn-primary"],
    ["the link that stops reminders", guest, "/unsubscribe?token=nothing", "main .btn-primary"],
    ["games in play", ada, "/live", "li.card .board-svg"],
    ["no game nights", guest, "/events", ".empty-state svg"],
    [
      "game nights",
      ada,
      "/events",
      ".events-actions button",
      { before: () => site.addGameNight() },
    ],
    [
      "the best game",
      guest,
      () => `/${site.watchedGame}?tv=hogga`,
      ".board-svg.is-interactive rect.board-cell",
    ],
    ["the rules", ada, "/rules", "main .card, main li"],
    ...variants.map((key) => [
      `the rules of ${key}`,
      ada,
      `/rules/${key}`,
      ".rules-example .board-svg rect",
    ]),
    ...variants.map((key) => [`the lesson of ${key}`, ada, `/learn/${key}`, SELECTABLE_CELL]),
    [
      "a lesson, a refused tap",
      ada,
      "/learn/caterpillarWar",
      SELECTABLE_CELL,
      {
        act: tapCells(["f4", "f7"], ".learn .game-status p:not(:has-text('Tap'))"),
        isEnglish: true,
      },
    ],
    [
      "a lesson, another move than asked for",
      ada,
      "/learn/caterpillarWar",
      SELECTABLE_CELL,
      { act: tapCells(["f4", "g5"], '[data-action="again"]') },
    ],
    [
      "a lesson, a task that is done",
      ada,
      "/learn/hogga",
      SELECTABLE_CELL,
      { act: tapCells(["b10", "b9"], '[data-action="next"]') },
    ],
    [
      "a lesson that is finished",
      ada,
      "/learn/knightFight",
      SELECTABLE_CELL,
      {
        act: async (page) => {
          while (!(await page.locator(".learn.is-finished").count())) {
            await page.locator('[data-action="skip"]').press("Enter");
            await page.waitForSelector(`.learn.is-finished, .learn ${SELECTABLE_CELL}`);
          }
        },
      },
    ],
    ["a new game on one device", ada, "/pass-and-play", ".pass-form"],
    [
      "a game on one device",
      guest,
      "/pass-and-play/hogga",
      ".pass-form",
      {
        act: async (page) => {
          await page.locator(".pass-form [type=submit]").press("Enter");
          await page.waitForSelector(SELECTABLE_CELL);
          // The next visit shows the form again.
          await page.evaluate(() => localStorage.removeItem("passAndPlay"));
        },
      },
    ],
    ["analysis", ada, "/analysis", SELECTABLE_CELL],
    [
      "analysis with the engine",
      ada,
      "/analysis/kopfOderKnopf",
      SELECTABLE_CELL,
      { act: (page) => page.locator(".engine [role=switch]").click() },
    ],
    ["players", ada, "/players", "main .users-empty, main table, main ol"],
    ["followed players", ada, "/following", "main h1"],
    ["a player", ada, "/@/Bram", ".game-row", { before: () => site.finishGame() }],
    ["reporting a player", ada, "/@/Bram", ".game-row", { act: openDialogByButton("Report") }],
    ["an account", ada, "/account", "form"],
    [
      "closing the account",
      ada,
      "/account",
      "form",
      { act: openDialogByButton("Close the account…") },
    ],
    [
      "new recovery words",
      ada,
      "/account",
      "#recovery .btn:not(:empty)",
      {
        act: async (page) => {
          await page.locator("#recovery .btn").press("Enter");
          await page.locator("dialog [name=password]").fill(PASSWORD);
          await page.locator("dialog [type=submit]").press("Enter");
          await page.waitForSelector(".recovery-words li");
        },
      },
    ],
    [
      "setting up an authenticator app",
      ada,
      "/account",
      "#second-factor .btn:not([hidden])",
      {
        act: async (page) => {
          await page.locator("#second-factor .btn").press("Enter");
          await page.locator("dialog [name=password]").fill(PASSWORD);
          await page.locator("dialog [type=submit]").press("Enter");
          await page.waitForSelector(".factor-key");
        },
      },
    ],
    [
      "logging out everywhere",
      ada,
      "/account",
      "form",
      { act: openDialogByButton("Log out everywhere") },
    ],
    ["a guest's account", guest, "/account", "main .card"],
    ["a personal link that is broken", guest, "/come#nothing", "main .btn, main a"],
    ["nothing there", ada, "/nowhere/at/all", ".page-message"],
    [
      "the own challenge, to be shared",
      ada,
      () => `/${site.ownChallenge}`,
      ".challenge-page .share-box .share-qr img",
    ],
    ["somebody's challenge", ada, () => `/${site.openChallenge}`, ".challenge-page .btn"],
    ["a game, my turn", ada, gamePath, SELECTABLE_CELL],
    ["a game, something chosen", ada, gamePath, SELECTABLE_CELL, { act: selectCell }],
    ["a game, their turn", bram, gamePath, ".board-svg.is-interactive rect.board-cell"],
    ["a game as a spectator", cato, gamePath, ".board-svg.is-interactive rect.board-cell"],
    [
      "a game with an offer",
      ada,
      gamePath,
      ".game-status .btn.btn-primary",
      { before: () => site.offerDraw() },
    ],
    [
      "a game with a question",
      ada,
      gamePath,
      SELECTABLE_CELL,
      { before: () => site.declineDraw(), act: pressButton("Resign") },
    ],
    ["a game, a draw in question", ada, gamePath, SELECTABLE_CELL, { act: pressButton("Draw") }],
    ["a game, its settings", ada, gamePath, SELECTABLE_CELL, { act: openGameSettings }],
    ["a game, the chat", ada, gamePath, SELECTABLE_CELL, { act: openChat }],
    [
      "a game, the keys",
      ada,
      gamePath,
      SELECTABLE_CELL,
      {
        act: (page) =>
          page.keyboard.press("?").then(() => page.waitForSelector("dialog[open] kbd")),
      },
    ],
    [
      "a game, a move being typed",
      ada,
      gamePath,
      SELECTABLE_CELL,
      {
        act: (page) =>
          page.keyboard.press("m").then(() => page.waitForSelector(".keyboard-move input:focus")),
      },
    ],
    ["a game that is over", ada, () => `/${site.finishedGame}`, ".game-result"],
    ["a game that is over, seen by others", cato, () => `/${site.finishedGame}`, ".game-result"],
    [
      "a game that ended by its rules",
      ada,
      () => `/${site.wonGame}`,
      ".game-result",
      { before: () => site.finishGameByRules() },
    ],
    ["a game that was lost by its rules", bram, () => `/${site.wonGame}`, ".game-result"],
    [
      "a rematch that is offered",
      ada,
      () => `/${site.finishedGame}`,
      ".game-result .game-rematch button:nth-child(2)",
      { before: () => site.offerRematch() },
    ],
    ["an invitation form", ada, "/", ".quick-play", { act: openDialogByButton("Invite a friend") }],
    [
      "an invitation",
      guest,
      () => `/${site.invitations.open}`,
      ".challenge-page .btn-primary",
      { before: () => site.createInvitations() },
    ],
    ["a rated invitation", guest, () => `/${site.invitations.rated}`, ".challenge-page .btn"],
    ["a closed invitation", guest, () => `/${site.invitations.closed}`, ".challenge-page .btn"],
    ["an expired invitation", guest, () => `/${site.invitations.expired}`, ".challenge-page .btn"],
    ["an accepted invitation", guest, () => `/${site.invitations.taken}`, ".challenge-page .btn"],
    ["an invitation, its creator", ada, () => `/${site.invitations.open}`, ".share-qr img"],
    [
      "a rated invitation, a casual game asked for",
      guest,
      () => `/${site.invitations.rated}`,
      ".challenge-page >> text=You asked Ada",
      { before: () => site.askForCasualGame(), isEnglish: true },
    ],
    [
      "a rated invitation, the question to its creator",
      ada,
      () => `/${site.invitations.rated}`,
      ".challenge-page-question .btn",
    ],
    [
      "a lost first game",
      guest,
      () => `/${site.lostGame}`,
      ".game-result",
      { before: () => site.loseToComputer() },
    ],
    [
      "home of a guest with games",
      guest,
      "/",
      ".lobby .game-row, .lobby .my-games, .challenge-list",
    ],
    ["terms of a search", ada, "/find", ".find-look"],
    [
      "a search for an opponent",
      // Plays no game with a clock, which would end the search.
      guest,
      "/find",
      ".find-look, .find-stage h1",
      {
        act: async (page) => {
          await startSearch(page);
          await page.waitForSelector(".find-stage h1");
        },
      },
    ],
    [
      "a search that is canceled",
      guest,
      "/find",
      ".find-stage .find-cancel, .find-stage .btn-primary",
      {
        act: async (page) => {
          const cancel = page.locator(".find-cancel");
          await page.locator(".find-look:visible, .find-cancel:visible").first().waitFor();
          await startSearch(page);
          await cancel.press("Enter");
          await page.waitForSelector("text=Search canceled");
        },
        isEnglish: true,
      },
    ],
    ["the review of a game", ada, () => `/${site.finishedGame}/analysis`, SELECTABLE_CELL],
  ];
};

/** Waits until all finite animations of a page have ended. */
export const waitForAnimations = (page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );

/**
 * Opens a state in one of the viewports; `hasTouch` and `language` replace settings of the context.
 */
const openState = async ({ page }, url, ready, act, viewport) => {
  const { width, height, colorScheme, theme, hasTouch, language } = viewport;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  if (hasTouch !== undefined) {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("Emulation.setTouchEmulationEnabled", { enabled: hasTouch });
  }
  // The theme is stored by a page of this origin; the blank page closes all that is open.
  if (!page.url().startsWith("http")) await page.goto(new URL("/icon.svg", url).href);
  await page.evaluate((value) => localStorage.setItem("theme", value), theme);
  if (language) {
    await page.evaluate((value) => localStorage.setItem("language", value), language);
    await page.context().addCookies([{ name: "language", value: language, url }]);
  }
  await page.goto("about:blank");
  await page.goto(url);
  await page.waitForSelector(ready, { state: "attached" });
  await act?.(page);
  await waitForAnimations(page);
};

/** Shows an open page in another size and color scheme. */
const resizeState = async ({ page }, { width, height, colorScheme }) => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => window.scrollTo(0, 0));
  await waitForAnimations(page);
};

/**
 * Visits every state in each viewport and calls `check(page, name, viewport)`. `languages` take
 * turns; states that wait for English texts are in English. `more` are states before and after the
 * usual ones, which begin without any game. `isVisited(name, viewport)` can leave out visits. With
 * `resizes`, states that do not depend on the first size are loaded once, if the viewports differ
 * in size and color scheme only.
 */
export const visitAllPages = async (browser, server, viewports, check, options = {}) => {
  const { languages = [], more = { first: () => [], last: () => [] } } = options;
  const { isVisited = () => true, resizes = false } = options;
  const site = await SiteFixture.create(browser, server);
  const states = [...more.first(site), ...pageStates(site), ...more.last(site)];
  for (const [at, [name, user, path, ready, settings = {}]] of states.entries()) {
    const { before, act, isEnglish } = settings;
    await before?.();
    const url = server.url + (typeof path === "function" ? path() : path);
    const isLoadedOnce = resizes && !act && !READS_WIDTH.test(new URL(url).pathname);
    let isOpen = false;
    for (const [turn, [key, viewport]] of Object.entries(viewports).entries()) {
      if (!isVisited(name, key)) continue;
      const language = isEnglish ? languages[0] : languages[(at + turn) % languages.length];
      if (isOpen && isLoadedOnce) await resizeState(user, viewport);
      else await openState(user, url, ready, act, { ...viewport, language });
      isOpen = true;
      await check(user.page, name, key);
    }
  }
};
