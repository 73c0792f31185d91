// Order of the animations of consecutive moves: a fast answer waits for the move before it.
process.env.MOTION = "no-preference";
const { default: assert } = await import("node:assert/strict");
const { test } = await import("node:test");
const { startServerAndBrowser } = await import("./support/server.mjs");
const { assertNoErrors } = await import("./support/no-errors.mjs");
const { PHONE } = await import("./support/viewports.mjs");
const { cellsOf } = await import("../../static/model/notation.js");
const { gameStarter } = await import("./support/game.mjs");

/** Counts the animations that are ended before their last frame. */
const countCutAnimations = () => {
  window.cutAnimations = 0;
  const { finish } = Animation.prototype;
  Animation.prototype.finish = function countAndFinish() {
    if (this.playState === "running") window.cutAnimations += 1;
    return finish.call(this);
  };
};

/** Lets animations take twice as long as planned, as in a busy browser. */
const slowAnimations = () => {
  const { play } = Animation.prototype;
  Animation.prototype.play = function playSlowly() {
    this.playbackRate /= 2;
    return play.call(this);
  };
};

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser }, countCutAnimations);

const lastMoveOf = (user, cell) =>
  user.page.waitForSelector(`[data-cell="${cell}"][aria-label*="last move"]`, {
    state: "attached",
  });

for (const [device, options] of Object.entries({ desktop: {}, phone: PHONE })) {
  test(`an answer waits until the move was seen on a ${device}`, async () => {
    const [ann, bob, id] = await startGame({}, [options, {}]);
    await ann.page.evaluate(slowAnimations);
    // The answer is sent as soon as the server has stored the move.
    for (const cell of cellsOf("h5(d1)d5")) await ann.clickCell(cell);
    await ann.waitForPly(1);
    await bob.play(id, "a4(d7)d4");
    await ann.waitForPly(2);
    await lastMoveOf(ann, "a4");
    assert.equal(await ann.page.evaluate(() => window.cutAnimations), 0);
    // The state does not wait: it is the turn of the player.
    assert.match(await ann.page.textContent(".game-status"), /Your move/);
    assertNoErrors(server, [ann, bob]);
  });

  test(`a tap shows a waiting answer at once on a ${device}`, async () => {
    const [cas, dot, id] = await startGame({}, [options, {}]);
    // Only the tap can end the animation of the first move in time.
    await cas.page.evaluate(slowAnimations);
    for (const cell of cellsOf("h5(d1)d5")) await cas.clickCell(cell);
    await cas.waitForPly(1);
    await dot.play(id, "a4(d7)d4");
    await cas.waitForPly(2);
    await cas.clickCell("h4");
    await lastMoveOf(cas, "a4");
    assert.equal(await cas.page.getAttribute("[data-cell=h4]", "aria-selected"), "true");
    assertNoErrors(server, [cas, dot]);
  });
}
