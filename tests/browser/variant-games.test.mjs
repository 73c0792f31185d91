// Every option of every variant: a challenge from the form, and a game by clicks to its natural end
// without layout shifts.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { records } from "../client/support/server-rules.mjs";
import { Person, house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { countShifts, shiftsOf, sumOf } from "./support/layout-shift.mjs";
import { PHONE } from "./support/viewports.mjs";
import { make, settle } from "./support/game.mjs";

const games = records.map(({ options, end, ...record }) => {
  const [option, value] = options.split("=");
  return { ...record, option, value, winner: end.split(" ")[0] };
});

const { server, browser } = await house();
let first;
let second;
before(async () => {
  first = await Person.open(browser, server, { reducedMotion: "no-preference" });
  // One player has animations, the other prefers reduced motion.
  second = await Person.open(browser, server, {
    viewport: PHONE.viewport,
    reducedMotion: "reduce",
  });
  for (const { page } of [first, second]) await page.addInitScript(countShifts);
});

/** Posts a challenge with the form and accepts it in the list; returns the game. */
const begin = async ({ variant, option, value }) => {
  const { page } = first;
  if (page.url() !== `${server.url}/`) await page.goto(server.url);
  await first.toForm();
  await page.click(`.game-choice [data-value=${variant}]`);
  const select = page.locator(`form select[name=${option}]`);
  assert.ok(
    (await select.locator("option").evaluateAll((options) => options.map((o) => o.value))).includes(
      value,
    ),
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
    await shiftsOf(theirs);
  }
  const id = new URL(page.url()).pathname.slice(1);
  return (await first.ask(`/api/game/${id}`)).body;
};

const question = ({ variant, option, value }, rest) => ({
  variant,
  options: { [option]: value },
  ...rest,
});

/** Returns the cells that the page of the side to move offers. */
const mayBegin = async (person) => new Set(await person.offered());

/** Makes a move in notation order and checks the removal preview before the last click. */
const remove = async (person, u) => {
  const cells = cellsOf(u);
  for (const cell of cells.slice(0, -1)) await person.cell(cell);
  await person.page.mouse.move(...(await person.middle(cells.at(-1))));
  await person.page.waitForSelector(
    ".board-layer-captures .board-preview, .board-layer-captures .board-capture-cross",
    { state: "attached" },
  );
  await person.cell(cells.at(-1));
  await settle(person, u);
};

const finish = async (person, title) => {
  await person.page.waitForSelector(".game-result");
  assert.equal(await person.page.textContent(".game-result h2"), title);
};

/** Asserts that neither page had a layout shift from the start of the game to its result. */
const keptStill = async () => {
  for (const { page } of [first, second]) {
    const all = await shiftsOf(page);
    assert.equal(
      sumOf(all),
      0,
      `at ${page.viewportSize().width} px: ${JSON.stringify(all, null, 1)}`,
    );
  }
};

for (const record of games.filter(({ variant }) => variant !== "knightFight")) {
  test(`${record.name}: ${record.moves.length} plies by clicks, ${record.option}=${record.value}`, async () => {
    const game = await begin(record);
    assert.deepEqual(String(game.options[record.option]), record.value);
    const usual = (await first.ask("/api/variants")).body.find(({ key }) => key === record.variant)
      .options[0].default;
    const unusual = String(usual) !== record.value;
    assert.equal(
      await first.page.locator(".game-info .game-info-chip").count(),
      unusual ? 4 : 3,
      "a non-default option is shown beside the board",
    );
    const { replay } = (
      await first.ask("/api/position", question(record, { moves: record.moves, replay: true }))
    ).body;
    let position = game.initialFen;
    let differs = false;
    for (const [at, u] of record.moves.entries()) {
      const side = (await first.ask("/api/position", question(record, { start: position }))).body;
      const mover = side.turn === "first" ? first : second;
      await mover.page.waitForFunction(
        (ply) =>
          document.querySelectorAll(".game-moves button").length === ply &&
          (document.querySelector("rect.board-cell.is-selectable") ||
            document.querySelector(".game-status .btn.btn-primary")),
        at,
      );
      const begins = new Set(side.legal.flatMap((legal) => cellsOf(legal).slice(0, 1)));
      assert.deepEqual(
        [...(await mayBegin(mover))].sort(),
        [...begins].sort(),
        `${u} at ply ${at + 1}`,
      );
      if (unusual && !differs) {
        // The same position with default rules, without the field that only the option adds.
        const start = record.option === "points" ? position.replace(/ (-|\d\+\d+)$/, "") : position;
        const plain = (await first.ask("/api/position", { variant: record.variant, start })).body;
        assert.equal(plain.error, undefined);
        differs = JSON.stringify(plain.legal) !== JSON.stringify(side.legal);
      }
      const { trace, position: next } = replay[at];
      const gone = (trace.removed ?? []).filter(
        (cell) => !trace.paths.some((path) => path.at(-1) === cell),
      );
      await (gone.length > 0 && cellsOf(u).length > 1 ? remove : make)(mover, u);
      await Promise.all(
        [first, second].map(async (person) => {
          await person.sees(at + 1);
          // The last move shows captured and removed pieces.
          if (gone.length)
            await person.page.waitForSelector(".board-layer-lastMove .board-removed", {
              state: "attached",
            });
        }),
      );
      position = next;
    }
    assert.ok(differs || !unusual, "the option changes the legal moves");
    const won = record.winner === "first";
    await finish(first, won ? "You won" : "You lost");
    await finish(second, won ? "You lost" : "You won");
    await keptStill();
    const { end, position: last } = (await first.ask(`/api/game/${game.id}`)).body;
    assert.deepEqual([end.status, last], ["variantEnd", position]);
    wasQuiet(server, [first, second]);
  });
}

/** Starts Knight Fight games until the shuffle puts a double on White's first row. */
const withDouble = async (record) => {
  for (;;) {
    const game = await begin(record);
    const row = game.initialFen.split(" ")[0].split("/").at(-1).split(",");
    const col = row.findIndex((number) => number[0] === number[1]);
    if (col >= 0) return [game, `${String.fromCharCode(97 + col)}1`];
    await first.abort(game.id);
  }
};

for (const record of games.filter(({ variant }) => variant === "knightFight")) {
  test(`${record.name}: game by clicks, ${record.option}=${record.value}`, async () => {
    const [game, double] = await withDouble(record);
    await first.cell(double);
    await first.page.waitForSelector(".game-status >> text=" + double);
    const leave = await first.page.locator(".game-status .btn.btn-primary").count();
    assert.equal(
      leave,
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
    await first.cell(other);
    await first.sees(1);
    assert.equal(
      await first.page
        .textContent('.game-moves button[data-ply="1"]')
        .then((text) => text.split(" ")[0]),
      `${double}x${other}`,
    );
    for (let ply = 1; ; ply += 1) {
      const mover = ply % 2 ? second : first;
      await mover.page.waitForFunction(
        () =>
          document.querySelector("rect.board-cell.is-selectable") ||
          document.querySelector(".game-result"),
      );
      if (await mover.page.$(".game-result")) break;
      await make(mover, (await mover.legal(game.id))[0]);
      for (const person of [first, second])
        await person.page.waitForSelector(`.game-moves button[data-ply="${ply + 1}"]`, {
          state: "attached",
        });
    }
    for (const person of [first, second]) await person.page.waitForSelector(".game-result");
    await keptStill();
    const over = (await first.ask(`/api/game/${game.id}`)).body;
    assert.equal(over.end.status, "variantEnd");
    // The commitment is unchanged since the start; the page can now verify it.
    assert.equal(over.shuffle.commitment, game.shuffle.commitment);
    await first.page.click(".fair-start summary");
    await first.page.click(".fair-start .btn");
    await first.page.waitForSelector(".fair-start >> text=Verified: the commitment matches");
    wasQuiet(server, [first, second]);
  });
}
