// Every page of the site in its typical states, for checks that hold everywhere.
//
// `everywhere` prepares users, challenges and games on an empty server and visits the pages in
// order. Used by the tests of accessibility, colors and sizes.
import { Person } from "./server.mjs";

/** Window sizes and colors; `theme` is the setting of the header's switch. */
export const LOOKS = {
  desk: { width: 1280, height: 800, colorScheme: "light", theme: "system" },
  phone: { width: 390, height: 844, colorScheme: "dark", theme: "system" },
};

/**
 * Starts a game and plays `plies` plies, each the first legal move; returns its id. The maker moves
 * first.
 */
const played = async (maker, acceptor, variant, plies, terms) => {
  const id = await maker.begin(acceptor, variant, terms);
  for (let ply = 0; ply < plies; ply += 1) {
    const mover = ply % 2 ? acceptor : maker;
    await mover.play(id, (await mover.legal(id))[0]);
  }
  return id;
};

const LIVE = ".board-svg.is-interactive rect.board-cell.is-selectable";

/** Users of these pages, with their challenges and games. */
class Scene {
  static async set(browser, server) {
    const scene = new Scene();
    const names = ["Ada", "Bram", "Cato"];
    // No lobby is open: it would redirect to each new game.
    [scene.ada, scene.bram, scene.cato] = await Promise.all(
      names.map((name) => Person.open(browser, server, { name }, null)),
    );
    scene.guest = await Person.open(browser, server, {}, null);
    await scene.guest.ask("/api/guest", {});
    scene.server = server;
    return scene;
  }

  /** Creates challenges of each kind, and games in progress. */
  async fill() {
    const { ada, bram, cato } = this;
    const post = (who, fields) => who.told("/api/challenge", fields).then(({ id }) => id);
    this.open = await post(bram, {
      variant: "knightFight",
      "clock.limit": 300,
      "clock.increment": 3,
    });
    await post(bram, {
      variant: "hogga",
      rated: true,
      ratingRange: "1700-2000",
      "clock.limit": 300,
    });
    this.several = await post(bram, {
      variants: "hogga,caterpillarWar,wieNietWegIs",
      clocks: "3d,300+3",
    });
    await bram.told("/api/challenge/Ada", { variant: "kopfOderKnopf", days: 2 });
    this.own = await post(ada, { variant: "wieNietWegIs", "clock.limit": 300 });
    this.watched = await played(bram, cato, "hogga", 4, { "clock.limit": 10800, rated: true });
    this.game = await played(ada, bram, "caterpillarWar", 2, { "clock.limit": 10800 });
  }

  /** Plays a rated game that ends by resignation. */
  async finish() {
    const { ada, bram } = this;
    this.over = await played(ada, bram, "caterpillarWar", 4, { rated: true, days: 3 });
    await bram.resign(this.over);
  }

  offer() {
    return this.bram.told(`/api/board/game/${this.game}/draw/yes`, {});
  }

  rematch() {
    return this.bram.told(`/api/board/game/${this.over}/rematch/yes`, {});
  }

  decline() {
    return this.ada.told(`/api/board/game/${this.game}/draw/no`, {});
  }
}

/**
 * Returns the states in order: name, user, path, selector that shows it is ready, and preparations,
 * once (`before`) and before every look (`act`).
 */
const placesOf = (scene) => {
  const { ada, bram, cato, guest } = scene;
  const variants = ["hogga", "kopfOderKnopf", "wieNietWegIs", "caterpillarWar", "knightFight"];
  const sheet = async (page) => {
    await page.locator(".hero .quick-create").click();
    await page.waitForSelector("dialog.form-dialog[open] form, .lobby form.challenge-form");
  };
  const dialog = (press) => async (page) => {
    await page.locator(press).first().click();
    await page.waitForSelector("dialog[open]");
  };
  /**
   * Returns an action that presses the first visible button of that name. It uses a key, as notices
   * may cover the button in a small window.
   */
  const pressed =
    (name, within = "body") =>
    (page) =>
      page.locator(within).getByRole("button", { name, exact: true }).first().press("Enter");
  const asks = (name, within) => async (page) => {
    await pressed(name, within)(page);
    await page.waitForSelector("dialog[open]");
  };
  // Only phones show the tab; its dialog fits every window.
  const settings = async (page) => {
    await page.locator(".header-more").dispatchEvent("click");
    await page.waitForSelector("dialog[open]");
  };
  const choose = async (page) => {
    await page.locator(LIVE).first().dispatchEvent("click");
    await page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  };
  const game = () => `/${scene.game}`;
  return [
    ["home, nobody there", guest, "/", ".challenge-list-empty .btn"],
    ["home with challenges", ada, "/", ".challenge-card", { before: () => scene.fill() }],
    ["the lobby", ada, "/lobby", ".challenge-card"],
    ["the form of a challenge", ada, "/", ".challenge-card", { act: sheet }],
    [
      "the form for the computer",
      ada,
      "/",
      ".challenge-card",
      { act: dialog(".quick-play .btn.btn-large:not(.btn-primary)") },
    ],
    ["declining with a reason", ada, "/lobby", ".challenge-card", { act: asks("Decline") }],
    [
      "choosing one of several games",
      ada,
      "/lobby",
      ".challenge-card",
      { act: (page) => asks("Accept", `.challenge-card[data-id="${scene.several}"]`)(page) },
    ],
    [
      "against whom",
      ada,
      "/",
      ".challenge-card",
      { act: dialog(".variant-list [data-key=hogga] button") },
    ],
    ["more places and settings", ada, "/", ".challenge-card", { act: settings }],
    ["what Sprong is", guest, "/about", "main h1"],
    [
      "the API",
      guest,
      "/api/docs",
      ".header-self",
      { act: (page) => page.locator("details summary").nth(12).click() },
    ],
    ["without a network", guest, "/offline", ".page-message"],
    ["logging in", guest, "/login", "form"],
    ["games in play", ada, "/live", "li.card .board-svg"],
    [
      "the best game",
      guest,
      () => `/${scene.watched}?tv=hogga`,
      ".board-svg.is-interactive rect.board-cell",
    ],
    ["the rules", ada, "/rules", "main .card, main li"],
    ...variants.map((key) => [
      `the rules of ${key}`,
      ada,
      `/rules/${key}`,
      ".rules-example .board-svg rect",
    ]),
    ["analysis", ada, "/analysis", LIVE],
    [
      "analysis with the engine",
      ada,
      "/analysis/kopfOderKnopf",
      LIVE,
      { act: (page) => page.locator(".engine [role=switch]").click() },
    ],
    ["players", ada, "/players", "main .users-empty, main table, main ol"],
    ["a player", ada, "/@/Bram", ".game-row", { before: () => scene.finish() }],
    ["reporting a player", ada, "/@/Bram", ".game-row", { act: asks("Report") }],
    ["an account", ada, "/account", "form"],
    ["closing the account", ada, "/account", "form", { act: asks("Close the account…") }],
    ["logging out everywhere", ada, "/account", "form", { act: asks("Log out everywhere") }],
    ["a guest's account", guest, "/account", "main .card"],
    ["a personal link that is broken", guest, "/come#nothing", "main .btn, main a"],
    ["nothing there", ada, "/nowhere/at/all", ".page-message"],
    [
      "the own challenge, to be shared",
      ada,
      () => `/${scene.own}`,
      ".challenge-page .share-box .share-qr img",
    ],
    ["somebody's challenge", ada, () => `/${scene.open}`, ".challenge-page .btn"],
    ["a game, my turn", ada, game, LIVE],
    ["a game, something chosen", ada, game, LIVE, { act: choose }],
    ["a game, their turn", bram, game, ".board-svg.is-interactive rect.board-cell"],
    ["a game as a spectator", cato, game, ".board-svg.is-interactive rect.board-cell"],
    [
      "a game with an offer",
      ada,
      game,
      ".game-status .btn.btn-primary",
      { before: () => scene.offer() },
    ],
    [
      "a game with a question",
      ada,
      game,
      LIVE,
      { before: () => scene.decline(), act: pressed("Resign") },
    ],
    ["a game, a draw in question", ada, game, LIVE, { act: pressed("Draw") }],
    ["a game, its wishes", ada, game, LIVE, { act: asks("Settings") }],
    [
      "a game, the keys",
      ada,
      game,
      LIVE,
      {
        act: (page) =>
          page.keyboard.press("?").then(() => page.waitForSelector("dialog[open] kbd")),
      },
    ],
    [
      "a game, a move being typed",
      ada,
      game,
      LIVE,
      {
        act: (page) =>
          page.keyboard.press("m").then(() => page.waitForSelector(".keyboard-move input:focus")),
      },
    ],
    ["a game that is over", ada, () => `/${scene.over}`, ".game-result"],
    ["a game that is over, seen by others", cato, () => `/${scene.over}`, ".game-result"],
    [
      "a rematch that is offered",
      ada,
      () => `/${scene.over}`,
      ".game-result .game-rematch button:nth-child(2)",
      { before: () => scene.rematch() },
    ],
    ["the review of a game", ada, () => `/${scene.over}/analysis`, LIVE],
  ];
};

/** Waits until all finite animations of a page have ended. */
export const still = (page) =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect.getTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );

/** Opens a state in one of the looks. */
const visit = async ({ page }, url, ready, act, { width, height, colorScheme, theme }) => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  // The theme is stored by a page of this origin; the blank page closes all that is open.
  if (!page.url().startsWith("http")) await page.goto(new URL("/icon.svg", url).href);
  await page.evaluate((chosen) => localStorage.setItem("theme", chosen), theme);
  await page.goto("about:blank");
  await page.goto(url);
  await page.waitForSelector(ready, { state: "attached" });
  await act?.(page);
  await still(page);
};

/** Visits every state in each of the looks and calls `look(page, name, look)`. */
export const everywhere = async (browser, server, looks, look) => {
  const scene = await Scene.set(browser, server);
  for (const [name, who, path, ready, { before, act } = {}] of placesOf(scene)) {
    await before?.();
    const url = server.url + (typeof path === "function" ? path() : path);
    for (const [key, how] of Object.entries(looks)) {
      await visit(who, url, ready, act, how);
      await look(who.page, name, key);
    }
  }
};
