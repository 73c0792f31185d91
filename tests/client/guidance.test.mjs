// Words about moves: prompts by stage, previews, reports and texts of the move list, on positions
// of the rules and in recorded games.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cellsOf, parseCells, parsePosition } from "../../static/model/notation.js";
import { recordedGames } from "./support/server-rules.mjs";
import { transcripts } from "./support/transcripts.mjs";
import { answer, ask } from "./support/wasm-rules.mjs";

const { guidanceOf } = await import("../../static/guidance/index.js");
const { pieceSetOf } = await import("../../static/variants/index.js");
const { movePrompt } = await import("../../static/board/move-prompt.js");
const { ClickPath } = await import("../../static/model/click-path.js");

const lessons = {
  kopfOderKnopf: JSON.parse(
    readFileSync(new URL("../../static/lessons/kopf_oder_knopf.json", import.meta.url), "utf8"),
  ),
};

const games = Object.fromEntries(
  transcripts()
    .filter(({ name, variant }) => name === `${variant}-first.json`)
    .map(({ variant, messages }) => [variant, messages[0].d]),
);
const OPTIONS = {
  caterpillarWar: { step: "empty" },
  knightFight: { doubles: "may" },
  hogga: { points: false },
  kopfOderKnopf: { target: 10 },
  wieNietWegIs: { mixed: "allowed" },
};

const markOf = ({ marks, rows }, cell) =>
  marks?.[rows - Number(cell.slice(1))]?.[cell.charCodeAt(0) - 97] ?? ".";

/**
 * Returns a position with the text about the clicks `chosen`, with another cell under the pointer,
 * and with the text about a move.
 */
const positionOf = (variant, start, options = OPTIONS[variant], ownMoves = 9) => {
  const { board, sides } = games[variant];
  const setup = { variant, options, start };
  const { cells, turn, extras } = parsePosition(start);
  const tokens = parseCells(cells);
  const { legal } = ask(setup);
  return {
    text: (chosen = [], hovered = []) => {
      const own = (cell) => pieceSetOf(variant).owner(tokens.get(cell)) === turn;
      const clicks = new ClickPath(legal, own);
      clicks.chosen = chosen;
      const { preview } = ask({ ...setup, clicks: [...chosen, ...hovered] });
      const stage = {
        cells,
        tokens,
        extras,
        side: turn,
        sides,
        options,
        board,
        clicks,
        ownMoves,
        markOf: (cell) => markOf(board, cell),
      };
      return movePrompt(stage, preview, guidanceOf(variant)).filter(Boolean).join(" ");
    },
    report: (u, you = null) => {
      const { position, trace } = ask({ ...setup, moves: [u], replay: true }).replay[0];
      const after = parsePosition(position);
      const change = {
        trace,
        by: turn,
        you,
        sides,
        options,
        board,
        before: tokens,
        now: parseCells(after.cells),
        cells: after.cells,
        extras: after.extras,
      };
      return [guidanceOf(variant).report(change), guidanceOf(variant).listText?.(u, change) ?? u];
    },
    legal,
  };
};

const CATERPILLAR = games.caterpillarWar.initialFen;

test("Caterpillar War names tail, tower and crawling stones", () => {
  const start = positionOf("caterpillarWar", CATERPILLAR);
  assert.equal(start.text(), "Tap a stone to step – or the tail of a line to crawl.");
  assert.equal(
    start.text(["h4"]),
    "Tail h4. Now the tower, the far end of the line – or a neighbor to step.",
  );
  assert.equal(start.text(["h4", "h1"]), "h4 to h1: 3 stones crawl. Tap the end square.");
  assert.equal(
    positionOf("caterpillarWar", CATERPILLAR, { step: "none" }).text(),
    "Tap the tail of a line to crawl.",
  );
  const { position } = ask({
    variant: "caterpillarWar",
    options: OPTIONS.caterpillarWar,
    start: CATERPILLAR,
    moves: ["h5(d1)d5"],
  });
  const reply = positionOf("caterpillarWar", position);
  assert.equal(
    reply.text(["a4", "d7"], ["d4"]),
    "a4 to d7: 3 stones crawl. Captures White's d5, d4.",
  );
  assert.deepEqual(reply.report("a4(d7)d4"), ["Black captured d5, d4.", "a4(d7)d4"]);
  assert.equal(start.report("g5-f5".replace("g5", "h5").replace("f5", "g5"))[0], "");
});

/** Board of Knight Fight whose squares hold 00 to 99, row 10 to row 1. */
const NUMBERS = Array.from({ length: 10 }, (_, row) =>
  Array.from({ length: 10 }, (__, col) =>
    String((37 * (10 * row + col) + 11) % 100).padStart(2, "0"),
  ).join(","),
).join("/");

test("Knight Fight speaks of numbers and points", () => {
  const start = positionOf("knightFight", `${NUMBERS} 1 0:0`);
  assert.equal(start.text(), "Your knight begins on row 1. You score the number it lands on.");
  const tokens = parseCells(NUMBERS);
  const single = start.legal.find((u) => cellsOf(u).length === 1 && !isDouble(tokens.get(u)));
  const number = tokens.get(single);
  const mirror = [...number].reverse().join("");
  assert.match(start.text([], [single]), new RegExp(`\\+${Number(number)}, wipes ${mirror}\\.$`));
  assert.deepEqual(start.report(single), [
    `White took ${number}; ${mirror} is gone.`,
    `${single} · ${number} ⊖${mirror}`,
  ]);
  const [double, other] = cellsOf(start.legal.find((u) => u.includes("x")));
  assert.match(start.text([double]), /^You may also wipe another double\. \+\d+\.$/);
  assert.match(start.text([double], [other]), new RegExp(`wipes ${tokens.get(other)}\\.$`));
  assert.match(
    positionOf("knightFight", `${NUMBERS} 1 0:0`, { doubles: "must" }).text([double]),
    /^Now wipe another double\./,
  );
  const white = ask({
    variant: "knightFight",
    options: OPTIONS.knightFight,
    start: `${NUMBERS} 1 0:0`,
    moves: [single],
  });
  assert.match(positionOf("knightFight", white.position).text(), /begins on row 10/);
  const black = ask({
    variant: "knightFight",
    options: OPTIONS.knightFight,
    start: white.position,
    moves: [white.legal[0]],
  });
  assert.match(positionOf("knightFight", black.position).text(), /Leap like a chess knight/);
});

const isDouble = (number) => number[0] === number[1];

test("Hogga counts hops and pieces at home", () => {
  const { initialFen } = games.hogga;
  const start = positionOf("hogga", initialFen, undefined, 0);
  assert.equal(start.text(), "Bring your pieces to the framed corner. Tap one.");
  assert.match(start.text(["b10"]), /^From b10\. Step, or jump .* stop on a white dot\.$/);
  assert.equal(positionOf("hogga", initialFen).text(), "Tap a piece to step or jump.");
  const far = initialFen
    .split(" ")[0]
    .split("/")
    .map((line) => line.split(",").map(() => "."));
  const put = (cell, token) => {
    far[13 - Number(cell.slice(1))][cell.charCodeAt(0) - 97] = token;
  };
  // Eleven pawns beside the home corner and one in front of it; White's pieces are far away.
  const goal = guidanceOf("hogga").goal("first", games.hogga.board, 0);
  assert.equal(goal.length, 24);
  assert.ok(
    goal.every((cell) => /^[g-l][1-4]$/.test(cell)),
    goal.join(),
  );
  assert.deepEqual(guidanceOf("hogga").goal("first", games.hogga.board, 4), []);
  const dots = goal.filter((cell) => markOf(games.hogga.board, cell) === "b");
  const gap = dots.find((cell) => cell.endsWith("4"));
  dots.filter((cell) => cell !== gap).forEach((cell, at) => put(cell, at < 3 ? "B" : "b"));
  const entry = `${gap[0]}5`;
  put(entry, "b");
  const whites = ["a", "b", "c"].flatMap((col) => [5, 6, 7, 8].map((row) => `${col}${row}`));
  whites.forEach((cell, at) => put(cell, at < 3 ? "W" : "w"));
  const end = positionOf("hogga", `${far.map((line) => line.join(",")).join("/")} 1`);
  assert.match(end.text([entry], [gap]), /One more home\.$/);
  assert.equal(end.report(`${entry}-${gap}`)[0], "Black brought a piece home: 12 of 12.");
});

test("Kopf oder Knopf counts holes, names pairs and penalties", () => {
  const start = positionOf("kopfOderKnopf", games.kopfOderKnopf.initialFen);
  assert.equal(start.text(), "Move a button as many squares as it has holes under it.");
  assert.equal(start.text(["i9"]), "From i9. One hole: it moves one square.");
  assert.equal(start.text(["f2"]), "From f2. Four holes: it moves one to four squares.");
  const found = { penalty: 0, strike: 0 };
  for (const { position, u } of positionsOf("kopfOderKnopf")) {
    const here = positionOf("kopfOderKnopf", position);
    const them = parsePosition(position).turn === "first" ? "Blue" : "Red";
    const taken = /^x([a-j]\d+),/.exec(u)?.[1];
    const [report, text] = here.report(u, "second");
    const struck = report
      .match(/^(?:Red|Blue)'s pairs? (?:\S+ )?struck ([^.]+)\./)?.[1]
      .split(", ");
    if (taken) {
      found.penalty += 1;
      assert.match(here.text(), /(?:Red|Blue) has (?:\d together|crowds)/, position);
      assert.match(here.text([taken]), new RegExp(`Takes ${them}'s ${taken}\\.`));
      const whose = parsePosition(position).turn === "first" ? "you" : "Blue|Red";
      assert.match(report, new RegExp(`${taken} was taken: (?:${whose}) had \\d together\\.`));
    }
    if (struck) {
      found.strike += 1;
      assert.match(
        here.text(cellsOf(u)),
        new RegExp(
          `Your pairs? (?:\\S+ )?strikes? ${them}'s ${struck.join(", ")}\\.|Your strike wins|Then \\S+ strikes ${struck.join(", ")}\\.`,
        ),
      );
      assert.equal(text, `${u} ⊖${struck.length}`);
    } else assert.equal(text, u);
  }
  assert.ok(found.penalty > 0 && found.strike > 0, JSON.stringify(found));
});

test("the tenth button is asked for without a move after it", () => {
  const { start } = lessons.kopfOderKnopf.tasks.find(({ name }) => name === "ten").steps[0];
  const here = positionOf("kopfOderKnopf", start);
  assert.equal(here.text(), "Blue has 3 together: take one (ringed) and win.");
  assert.match(here.text(["h2", "h4"]), /^Or also take a ringed button\./);
});

test("a button that is taken or struck is not told as taken", () => {
  const { start } = lessons.kopfOderKnopf.tasks.find(({ name }) => name === "open").steps[0];
  const here = positionOf("kopfOderKnopf", start);
  assert.equal(here.text(), "Blue has 3 together: take one (ringed), then move.");
  assert.equal(
    here.text(["e4"], []),
    "Now choose what to move. Takes Blue's e4. Then b4–c4 strikes i4.",
  );
});

test("Wie niet weg is counts stones to place and stones off", () => {
  const start = positionOf("wieNietWegIs", games.wieNietWegIs.initialFen);
  assert.equal(start.text(), "Place one of Red's stones where straight jumps are hard. 8 left.");
  const found = { off: 0, turned: 0, up: 0, down: 0 };
  for (const { position, u } of positionsOf("wieNietWegIs")) {
    const { turn, extras, cells } = parsePosition(position);
    const here = positionOf("wieNietWegIs", position);
    const [from, to] = cellsOf(u);
    if (!to) continue;
    const isUp = /[WR]/.test(parseCells(cells).get(from));
    found[isUp ? "up" : "down"] += 1;
    assert.match(here.text([from]), isUp ? /^Circle up\./ : /^Circle down\./);
    const [report, text] = here.report(u);
    const off = Number(extras.split(" ")[1].split(":")[turn === "first" ? 0 : 1]);
    const gone = Number(text.split("⊖")[1] ?? 0);
    if (gone) {
      found.off += 1;
      assert.match(
        here.text([from], [to]),
        new RegExp(`Takes ${gone} of yours off: ${off + gone} of 7\\.`),
      );
      assert.match(report, new RegExp(`(?:White|Red) got ${gone} off: ${off + gone} of 7\\.`));
    } else if (report) {
      found.turned += 1;
      assert.match(report, new RegExp(`stone on ${to} now lies circle up`));
    }
  }
  assert.ok(Object.values(found).every(Boolean), JSON.stringify(found));
});

/** Returns the positions of the recorded games of a variant with the moves made in them. */
function* positionsOf(variant) {
  for (const game of recordedGames.filter((one) => one.variant === variant)) {
    const setup = { variant, options: OPTIONS[variant], start: games[variant].initialFen };
    if (game.seed !== 0 && variant === "knightFight") continue;
    const { moves } = game;
    const { status, body } = answer({ ...setup, moves, replay: true });
    if (status !== 200) continue;
    let position = setup.start;
    for (const [at, u] of moves.entries()) {
      yield { position, u };
      position = body.replay[at].position;
    }
  }
}

test("every move of the transcripts has words without gaps", () => {
  for (const { variant, messages } of transcripts()) {
    let { position } = messages[0].d;
    for (const { t: type, d } of messages) {
      if (type === "full" || (type === "takeback" && d.position)) ({ position } = d);
      if (type !== "move") continue;
      const here = positionOf(variant, position, messages[0].d.options);
      for (const chosen of [[], ...cellsOf(d.u).map((_, at, all) => all.slice(0, at + 1))]) {
        const text = here.text(chosen);
        assert.doesNotMatch(text, /[{}]|undefined|NaN|\b(?:prompt|preview|hint)\./, text);
        assert.notEqual(text, "", `${variant} ${d.u} ${chosen}`);
      }
      const [report, text] = here.report(d.u, "second");
      assert.doesNotMatch(`${report} ${text}`, /[{}]|undefined|NaN|\bevent\./);
      position = [d.cells, d.turn === "first" ? 1 : 2, d.extras]
        .filter((part) => part !== "")
        .join(" ");
    }
  }
});
