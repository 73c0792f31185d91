// Equivalence of the client's rules (rules.wasm) and the server's.
//
// After a change of the rules, rebuild rules.wasm with crates/wasm/build.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { instantiateRules } from "../../static/lib/rules-wasm.js";
import { measure, records } from "./support/server-rules.mjs";

const HERE = import.meta.dirname;

const bytes = readFileSync(process.env.RULES_WASM ?? join(HERE, "../../static/rules.wasm"));
const answer = await instantiateRules(bytes);

/** Asserts that both rules answer the questions alike; returns the server's answers. */
const compare = (questions) => {
  const told = measure(questions);
  assert.equal(told.length, questions.length);
  questions.forEach((question, at) => {
    const { error, ply } = told[at];
    const wanted =
      error === undefined
        ? { status: 200, body: told[at] }
        : { status: 400, body: { error, ply, reason: "badPosition" } };
    assert.deepEqual(answer(question), wanted, JSON.stringify(question));
  });
  return told;
};

const json = (text) => (/^(\d+|true|false)$/.test(text) ? JSON.parse(text) : text);
const pairs = (text) =>
  Object.fromEntries(
    text
      .split(" ")
      .map((pair) => pair.split("="))
      .map(([key, value]) => [key, json(value)]),
  );
const lines = (name) =>
  readFileSync(join(HERE, "../it", name), "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"));

const games = records.map(({ variant, options, seed, moves, end }) => ({
  setup: { variant, options: pairs(options), seed },
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
    const [{ outcome, reason, replay }] = compare([{ ...setup, moves, replay: true }]);
    assert.equal(`${outcome} ${reason}`, end);
    assert.equal(replay.length, moves.length);
  }
  assert.equal(variants.size, 5);
});

test("every position of a recorded game has the same moves and previews", () => {
  for (const { setup, moves } of games) {
    const asked = moves.map((_, ply) => ({ ...setup, moves: moves.slice(0, ply) }));
    compare(asked);
    compare(
      asked.map((question, ply) => ({ ...question, clicks: cellsOf(moves[ply]).slice(0, 1) })),
    );
  }
});

test("perft counts at depths 1 and 2 match perft.txt", () => {
  for (const line of lines("perft.txt")) {
    const [variant, options, text, counts] = line.split("|").map((column) => column.trim());
    const start = text === "@knight" ? knightBoard() : text;
    const setup = { variant, options: pairs(options), ...(start && { start }) };
    const [one, two] = counts.split(" ").map(Number);
    const {
      body: { legal },
    } = answer(setup);
    assert.equal(legal.length, one, line);
    const after = legal.map((u) => answer({ ...setup, moves: [u] }).body.legal.length);
    assert.equal(
      after.reduce((sum, many) => sum + many, 0),
      two,
      line,
    );
  }
});

test("rare positions are parsed alike with every option", () => {
  const starts = lines("starts.txt").map((line) => line.split("|").map((column) => column.trim()));
  compare(
    starts.flatMap(([variant, options, start]) => {
      const every = games
        .filter(({ setup }) => setup.variant === variant)
        .map(({ setup }) => setup.options);
      return (options === "*" ? every : [pairs(options)]).map((chosen) => ({
        variant,
        options: chosen,
        start,
      }));
    }),
  );
});

test("invalid questions are refused with the same errors", () => {
  const [{ setup, moves }] = games;
  compare([
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

test("random start positions are the same for each seed", () => {
  const variants = [...new Set(games.map(({ setup }) => setup.variant))];
  compare(
    variants.flatMap((variant) =>
      [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER].map((seed) => ({ variant, seed })),
    ),
  );
});
