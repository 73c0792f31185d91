// Reasons of refused clicks: answers that come too late are dropped.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.AbortSignal.timeout ??= () => undefined;
const { RefusalQuery } = await import("../../static/board/refusal-query.js");

/** Answers the next requests when `answer` is called; null fails. */
const deferRequests = () => {
  const waiting = [];
  globalThis.fetch = (path, { body }) =>
    new Promise((resolve, reject) => {
      waiting.push({ clicks: JSON.parse(body).clicks, resolve, reject });
    });
  return (index, body) => {
    const { resolve, clicks } = waiting[index];
    resolve({
      ok: body !== null,
      status: body === null ? 503 : 200,
      headers: new Headers(),
      text: async () => JSON.stringify(body ?? { reason: "unavailable" }),
    });
    return clicks;
  };
};

test("a refusal is told by its rule", async () => {
  const answer = deferRequests();
  const refusal = new RefusalQuery().explain({ start: "…" }, ["h4", "f4"]);
  assert.deepEqual(answer(0, { refusal: { rule: "gap", cell: "g4" } }), ["h4", "f4"]);
  assert.equal(await refusal, "There is a gap at g4.");
});

test("a later click or a legal one drops the answer", async () => {
  const answer = deferRequests();
  const refusals = new RefusalQuery();
  const [first, second] = [["a1"], ["b1"]].map((clicks) => refusals.explain({}, clicks));
  answer(1, { refusal: { rule: "noPiece", cell: "b1" } });
  assert.equal(await second, "b1 is empty.");
  answer(0, { refusal: { rule: "noPiece", cell: "a1" } });
  assert.equal(await first, null);
  const third = refusals.explain({}, ["c1"]);
  refusals.cancel();
  answer(2, { refusal: { rule: "noPiece", cell: "c1" } });
  assert.equal(await third, null);
});

test("without an answer the marked cells are pointed out", async () => {
  const answer = deferRequests();
  const refusals = new RefusalQuery();
  const piece = refusals.explain({}, ["a1"]);
  answer(0, null);
  assert.match(await piece, /^That can't move/);
  const target = refusals.explain({}, ["a1", "b2"]);
  answer(1, null);
  assert.match(await target, /^Not there/);
});
