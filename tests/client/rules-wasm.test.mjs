// Equivalence of the client's rules (rules.wasm) and the server's.
//
// After a change of the rules, rebuild rules.wasm with crates/wasm/build.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { instantiateRules } from "../../static/lib/rules-wasm.js";
import { queryServerRules, recordedGames } from "./support/server-rules.mjs";

const DIRECTORY = import.meta.dirname;

const bytes = readFileSync(process.env.RULES_WASM ?? join(DIRECTORY, "../../static/rules.wasm"));
const answerQuery = await instantiateRules(bytes);

/** Asserts that both rules answer the questions alike; returns the server's answers. */
const assertSameAnswers = (queries) => {
  const answers = queryServerRules(queries);
  assert.equal(answers.length, queries.length);
  queries.forEach((query, index) => {
    const { error } = answers[index];
    const expected =
      error === undefined
        ? { status: 200, body: answers[index] }
        : { status: 400, body: { ...answers[index], reason: "badPosition" } };
    assert.deepEqual(answerQuery(query), expected, JSON.stringify(query));
  });
  return answers;
};

const parseValue = (text) => (/^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text);
const parsePairs = (text) =>
  Object.fromEntries(
    text
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([key, value]) => [key, parseValue(value)]),
  );
const readLines = (name) =>
  readFileSync(join(DIRECTORY, "../it", name), "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"));

const games = recordedGames.map(({ variant, options, seed, moves, end }) => ({
  setup: { variant, options: parsePairs(options), seed },
  moves,
  end,
}));

/** Returns the position that `@knight` stands for in perft.txt. */
const knightBoard = () => {
  const number = (i) => String((37 * i + 11) % 100).padStart(2, "0");
  return `${[...Array(10).keys()].map((row) => [...Array(10).keys()].map((col) => number(10 * row + col)).join(",")).join("/")} 1 0:0`;
};

test("every recorded game reaches its recorded end", () => {
  const variants = new Set();
  for (const { setup, moves, end } of games) {
    variants.add(setup.variant);
    const [{ outcome, reason, replay }] = assertSameAnswers([{ ...setup, moves, replay: true }]);
    assert.equal(`${outcome} ${reason}`, end);
    assert.equal(replay.length, moves.length);
  }
  assert.equal(variants.size, 5);
});

test("recorded positions have the same moves and previews", () => {
  for (const { setup, moves } of games) {
    const queries = moves.map((_, ply) => ({ ...setup, moves: moves.slice(0, ply) }));
    assertSameAnswers(queries);
    assertSameAnswers(
      queries.map((query, ply) => ({ ...query, clicks: cellsOf(moves[ply]).slice(0, 1) })),
    );
  }
});

test("perft counts at depths 1 and 2 match perft.txt", () => {
  for (const line of readLines("perft.txt")) {
    const [variant, options, position, counts] = line.split("|").map((column) => column.trim());
    const start = position === "@knight" ? knightBoard() : position;
    const setup = { variant, options: parsePairs(options), ...(start && { start }) };
    const [depth1, depth2] = counts.split(" ").map(Number);
    const {
      body: { legal },
    } = answerQuery(setup);
    assert.equal(legal.length, depth1, line);
    const replies = legal.map((u) => answerQuery({ ...setup, moves: [u] }).body.legal.length);
    assert.equal(
      replies.reduce((sum, count) => sum + count, 0),
      depth2,
      line,
    );
  }
});

test("rare positions are parsed alike with every option", () => {
  const starts = readLines("starts.txt").map((line) =>
    line.split("|").map((column) => column.trim()),
  );
  assertSameAnswers(
    starts.flatMap(([variant, options, start]) => {
      const optionSets = games
        .filter(({ setup }) => setup.variant === variant)
        .map(({ setup }) => setup.options);
      return (options === "*" ? optionSets : [parsePairs(options)]).map((optionSet) => ({
        variant,
        options: optionSet,
        start,
      }));
    }),
  );
});

test("invalid questions are refused with the same errors", () => {
  const [{ setup, moves }] = games;
  assertSameAnswers([
    {},
    { variant: "chess" },
    { ...setup, options: { colour: 1 } },
    { ...setup, start: "?" },
    { ...setup, seed: -1 },
    { ...setup, more: 1 },
    { ...setup, moves: [...moves.slice(0, 2), "a1-ö9"] },
    { ...setup, moves: [moves[0], moves[0]] },
    { ...setup, moves: ["x".repeat(10_000)] },
    { ...setup, clicks: ["?"] },
  ]);
});

test("refused clicks have the same reasons", () => {
  const cells = [..."abcdefghijklm"].flatMap((col) =>
    [...Array(13).keys()].map((row) => `${col}${row + 1}`),
  );
  const queries = games.flatMap(({ setup, moves }) => {
    const [first] = cellsOf(moves[4]);
    return cells.flatMap((cell) =>
      [[cell], [first, cell]].map((clicks) => ({ ...setup, moves: moves.slice(0, 4), clicks })),
    );
  });
  const rules = assertSameAnswers(queries).map(({ refusal }) => refusal?.rule);
  assert.ok(new Set(rules).size > 15, `only ${[...new Set(rules)]}`);
});

test("random start positions are the same for each seed", () => {
  const variants = [...new Set(games.map(({ setup }) => setup.variant))];
  assertSameAnswers(
    variants.flatMap((variant) =>
      [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER].map((seed) => ({ variant, seed })),
    ),
  );
});
