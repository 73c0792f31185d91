// Each variant, in tests/slow each of its options: a challenge from the form, and a game by clicks
// to its natural end without layout shifts.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { gamesToPlay } from "./support/all-cases.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { PHONE } from "./support/viewports.mjs";
import { makeMove, confirmMove } from "./support/game.mjs";

const games = gamesToPlay.map(({ options, end, ...record }) => {
  const [option, value] = options.split("=");
  return { ...record, option, value, winner: end.split(" ")[0] };
});

const { server, browser } = await startServerAndBrowser();
let first;
let second;
before(async () => {
  first = await User.open(browser, server, { reducedMotion: "no-preference" });
  // One player has animations, the other prefers reduced motion.
  second = await User.open(browser, server, {
    viewport: PHONE.viewport,
    reducedMotion: "reduce",
  });
  for (const { page } of [first, second]) await page.addInitScript(recordLayoutShifts);
});

/** Posts a challenge with the form and accepts it in the list; returns the game. */
const startGame = async ({ variant, option, value }) => {
  const { page } = first;
  if (page.url() !== `${server.url}/`) await page.goto(server.url);
  await first.scrollToChallengeForm();
  await page.click(`.game-choice [data-value=${variant}]`);
  await page.click("form.challenge-form summary");
  const select = page.locator(`form select[name=${option}]`);
  assert.ok(
    (
      await select
        .locator("option")
        .evaluateAll((options) => options.map((element) => element.value))
    ).includes(value),
    `${option}=${value} is in the form`,
  );
  await select.selectOption(value);
  await page.click(".segmented [data-value=first]");
  await page.click(".segmented [data-value=none]");
  await page.click("text=Post the challenge");
  if (second.page.url() !== `${server.url}/`) await second.page.goto(server.url);
  await second.page.click(".challenge-card >> text=Accept");
  await page.waitForURL(/\/\w{8}$/);
  await second.page.waitForURL(page.url());
  for (const { page: theirs } of [first, second]) {
    await theirs.waitForSelector(".board-svg.is-interactive rect.board-cell");
    // Discards shifts from loading: the check begins when the board is ready.
    await takeLayoutShifts(theirs);
  }
  const id = new URL(page.url()).pathname.slice(1);
  return (await first.request(`/api/game/${id}`)).body;
};

const query = ({ variant, option, value }, fields) => ({
  variant,
  options: { [option]: value },
  ...fields,
});

/** Returns the cells that the page of the side to move offers. */
const selectableCells = async (user) => new Set(await user.selectableCells());

/** Makes a move in notation order and checks the removal preview before the last click. */
const playRemoval = async (user, u) => {
  const cells = cellsOf(u);
  for (const cell of cells.slice(0, -1)) await user.clickCell(cell);
  await user.page.mouse.move(...(await user.cellCenter(cells.at(-1))));
  await user.page.waitForSelector(
    ".board-layer-captures .board-preview, .board-layer-captures .board-capture-cross",
    { state: "attached" },
  );
  await user.clickCell(cells.at(-1));
  await confirmMove(user, u);
};

/** Reasons by the kind of the ending. */
const REASONS = {
  noMove: /^(White|Black|You) ha(s|ve) no move left\.$/,
  noLeap: /^(White|Black|You) ha(s|ve) no leap left: [\d,]+ to [\d,]+\.$/,
  allHome: /^All twelve home\. (Brown|White|Black|Red|Blue|You) had \d+\.$/,
  points: /^Home first, with \d+ points?\.$/,
  taken: /^Buttons taken: \d+ to \d+\.$/,
  off: /^Seven stones off, \d to \d\.$/,
};

/** Asserts that the card names the reason of a variant's end, as the API does. */
const assertReason = async (user, { ending }) => {
  const text = await user.page.textContent(".game-result-reason");
  const kind = ending.points === undefined ? ending.kind : "points";
  assert.match(text, REASONS[kind], kind);
};

const assertResult = async (user, title, end) => {
  await user.page.waitForSelector(".game-result");
  assert.equal(await user.page.textContent(".game-result h2"), title);
  await assertReason(user, end);
};

/**
 * Returns the text of a move in the list: its notation, with the pieces that were struck or
 * removed.
 */
const listedText = (variant, u, { removed = [], strikes = [] }) => {
  const struck = new Set(strikes.map((cells) => cells.at(-1))).size;
  const count = { kopfOderKnopf: struck, wieNietWegIs: removed.length }[variant];
  return count ? `${u} ⊖${count}` : u;
};

/** Asserts that the list names each move with the pieces that it struck or removed. */
const assertMoveList = async (record, replay) => {
  const expected = record.moves.map((u, at) => listedText(record.variant, u, replay[at].trace));
  const isCounting = /^(kopfOderKnopf|wieNietWegIs)$/.test(record.variant);
  assert.equal(
    expected.some((text) => text.includes("⊖")),
    isCounting,
  );
  for (const { page } of [first, second])
    await waitUntil("the list has all effects", async () => {
      const texts = await page.locator(".game-moves button").allTextContents();
      return isDeepStrictEqual(texts, expected);
    });
};

/** Asserts that neither page had a layout shift from the start of the game to its result. */
const assertNoShift = async () => {
  for (const { page } of [first, second]) {
    const shifts = await takeLayoutShifts(page);
    assert.equal(
      totalShift(shifts),
      0,
      `at ${page.viewportSize().width} px: ${JSON.stringify(shifts, null, 1)}`,
    );
  }
};

for (const record of games.filter(({ variant }) => variant !== "knightFight")) {
  test(`${record.name}: ${record.moves.length} plies by clicks`, async () => {
    const game = await startGame(record);
    assert.deepEqual(String(game.options[record.option]), record.value);
    const defaultValue = (await first.request("/api/variants")).body.find(
      ({ key }) => key === record.variant,
    ).options[0].default;
    const isNonDefault = String(defaultValue) !== record.value;
    assert.equal(
      await first.page.locator(".game-info .game-info-chip").count(),
      isNonDefault ? 4 : 3,
      "a non-default option is shown beside the board",
    );
    const { replay } = (
      await first.request("/api/position", query(record, { moves: record.moves, replay: true }))
    ).body;
    let position = game.initialFen;
    let differs = false;
    for (const [index, u] of record.moves.entries()) {
      const state = (await first.request("/api/position", query(record, { start: position }))).body;
      const mover = state.turn === "first" ? first : second;
      await mover.page.waitForFunction(
        (ply) =>
          document.querySelectorAll(".game-moves button").length === ply &&
          (document.querySelector("rect.board-cell.is-selectable") ||
            document.querySelector(".game-status .btn.btn-primary")),
        index,
      );
      const firstCells = new Set(state.legal.flatMap((legal) => cellsOf(legal).slice(0, 1)));
      assert.deepEqual(
        [...(await selectableCells(mover))].sort(),
        [...firstCells].sort(),
        `${u} at ply ${index + 1}`,
      );
      if (isNonDefault && !differs) {
        // The same position with default rules, without the field that only the option adds.
        const start = record.option === "points" ? position.replace(/ (-|\d\+\d+)$/, "") : position;
        const standard = (await first.request("/api/position", { variant: record.variant, start }))
          .body;
        assert.equal(standard.error, undefined);
        differs = JSON.stringify(standard.legal) !== JSON.stringify(state.legal);
      }
      const { trace, position: next } = replay[index];
      const removed = (trace.removed ?? []).filter(
        (cell) => !trace.paths.some((path) => path.at(-1) === cell),
      );
      await (removed.length > 0 && cellsOf(u).length > 1 ? playRemoval : makeMove)(mover, u);
      await Promise.all(
        [first, second].map(async (user) => {
          await user.waitForPly(index + 1);
          // The last move shows captured and removed pieces.
          if (removed.length)
            await user.page.waitForSelector(".board-layer-lastMove .board-removed", {
              state: "attached",
            });
        }),
      );
      position = next;
    }
    assert.ok(differs || !isNonDefault, "the option changes the legal moves");
    const firstWon = record.winner === "first";
    const { end, position: last } = (await first.request(`/api/game/${game.id}`)).body;
    await assertResult(first, firstWon ? "You won" : "You lost", end);
    await assertResult(second, firstWon ? "You lost" : "You won", end);
    await assertNoShift();
    assert.deepEqual([end.status, last], ["variantEnd", position]);
    await assertMoveList(record, replay);
    assertNoErrors(server, [first, second]);
  });
}

/** Starts Knight Fight games until the shuffle puts a double on White's first row. */
const startWithDouble = async (record) => {
  for (;;) {
    const game = await startGame(record);
    const row = game.initialFen.split(" ")[0].split("/").at(-1).split(",");
    const col = row.findIndex((number) => number[0] === number[1]);
    if (col >= 0) return [game, `${String.fromCharCode(97 + col)}1`];
    await first.abort(game.id);
  }
};

for (const record of games.filter(({ variant }) => variant === "knightFight")) {
  test(`${record.name}: game by clicks`, async () => {
    const [game, double] = await startWithDouble(record);
    await first.clickCell(double);
    await first.page.waitForSelector(".game-status >> text=another double");
    const playButtons = await first.page.locator(".game-status .btn.btn-primary").count();
    assert.equal(
      playButtons,
      record.value === "may" ? 1 : 0,
      "the button is offered only if a second double is optional",
    );
    const other = (
      await first.page.$$eval("rect.board-cell", (cells) =>
        cells
          .filter((cell) => cell.ariaLabel?.includes("can be chosen"))
          .map((cell) => cell.dataset.cell),
      )
    )[0];
    await first.clickCell(other);
    await first.waitForPly(1);
    const { state } = (await first.request(`/api/game/${game.id}`)).body;
    assert.equal(state.moves, `${double}x${other}`);
    for (let ply = 1; ; ply += 1) {
      const mover = ply % 2 ? second : first;
      await mover.page.waitForFunction(
        () =>
          document.querySelector("rect.board-cell.is-selectable") ||
          document.querySelector(".game-result"),
      );
      if (await mover.page.$(".game-result")) break;
      await makeMove(mover, (await mover.legalMoves(game.id))[0]);
      for (const user of [first, second])
        await user.page.waitForSelector(`.game-moves button[data-ply="${ply + 1}"]`, {
          state: "attached",
        });
    }
    for (const user of [first, second]) await user.page.waitForSelector(".game-result");
    await assertNoShift();
    const finished = (await first.request(`/api/game/${game.id}`)).body;
    assert.equal(finished.end.status, "variantEnd");
    for (const user of [first, second]) await assertReason(user, finished.end);
    // The commitment is unchanged since the start; the page can now verify it.
    assert.equal(finished.shuffle.commitment, game.shuffle.commitment);
    await first.page.click(".fair-start summary");
    await first.page.click(".fair-start .btn");
    await first.page.waitForSelector(".fair-start >> text=Verified: the commitment matches");
    assertNoErrors(server, [first, second]);
  });
}
