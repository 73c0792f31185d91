// Ends of games by their rules: the reason is shown in full on the result card in every language
// and window, for both players and a spectator.
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedGames } from "../client/support/server-rules.mjs";
import { ALL_CASES } from "./support/all-cases.mjs";
import { startServerAndBrowser, User } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { CARD_WINDOWS, cardFaults } from "./support/result-card.mjs";
import { screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const GAMES = ["caterpillarWar", "knightFight", "hogga", "hogga-points", "kopfOderKnopf"]
  .concat("wieNietWegIs")
  .map((wanted) => recordedGames.find(({ name }) => name === wanted));

/** Reasons in each language, by the kind of the end. */
const REASONS = {
  en: {
    noMove: /no move left\.$/,
    noLeap: /no leap left: [\d,]+ to [\d,]+\.$/,
    allHome: /^All twelve home\./,
    points: /^Home first, with \d+ points?\.$/,
    taken: /^Buttons taken: \d+ to \d+\.$/,
    off: /^Seven stones off, \d to \d\.$/,
  },
  nl: {
    noMove: /geen zet meer\.$/,
    noLeap: /sprong meer: [\d.]+ tegen [\d.]+\.$/,
    allHome: /^Alle twaalf thuis\./,
    points: /thuis, met \d+ punt(en)?\.$/,
    taken: /\d+ tegen \d+\.$/,
    off: /\d tegen \d\.$/,
  },
  sv: {
    noMove: /drag kvar\.$/,
    noLeap: /hopp kvar: [\d\s]+ mot [\d\s]+\.$/,
    allHome: /^Alla tolv hemma\./,
    points: /med \d+ poäng\.$/,
    taken: /\d+ mot \d+\.$/,
    off: /\d mot \d\.$/,
  },
};

/** Plays a recorded game to its end. The board of Knight Fight is shuffled: any moves are made. */
const playToEnd = async ({ variant, options, moves }, first, second) => {
  const [option, value] = options.split("=");
  const id = await first.startGame(second, variant, { [`options.${option}`]: value, rated: false });
  for (let ply = 0; ; ply += 1) {
    const { end, turn } = await first.get(`/api/game/${id}`);
    if (end) return { id, end };
    // In Hogga, a player may move several times in a row.
    const mover = turn === "first" ? first : second;
    await mover.play(id, variant === "knightFight" ? undefined : moves[ply]);
  }
};

for (const game of GAMES)
  test(`${game.name}: the reason of the end fits in every language`, async () => {
    const names = ["Wilhelmina_A", "Maximilian_B"].map((name) => `${name}${GAMES.indexOf(game)}`);
    const users = await Promise.all(
      [...names, undefined].map((name) => User.open(browser, server, { name }, null)),
    );
    const { id, end } = await playToEnd(game, ...users);
    const kind = end.ending.points === undefined ? end.ending.kind : "points";
    const faults = {};
    const languages = Object.keys(REASONS);
    for (const [index, { page }] of users.entries())
      // The first player reads all languages, the other and the spectator one each.
      for (const language of index && !ALL_CASES ? languages.slice(index, index + 1) : languages) {
        await page.context().addCookies([{ name: "language", value: language, url: server.url }]);
        await page.goto(`${server.url}/${id}`);
        await page.waitForSelector(".game-result");
        const reason = await page.textContent(".game-result-reason");
        assert.match(reason, REASONS[language][kind], language);
        for (const [window, viewport] of Object.entries(CARD_WINDOWS)) {
          await page.setViewportSize(viewport);
          await screenshot(page, `end-${game.name}-${language}-${viewport.width}`);
          const found = await cardFaults(page);
          if (!(await page.locator(".game-result-reason").isVisible())) found.push("no reason");
          if (found.length) faults[`${language}, ${window}`] = found;
        }
      }
    assert.deepEqual(faults, {});
    assertNoErrors(server, users);
  });
