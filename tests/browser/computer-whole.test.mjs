// Complete games against the computer, by clicks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { ALL_CASES } from "./support/all-cases.mjs";
import { computerGameStarter, waitForTurn } from "./support/computer.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { VARIANTS, makeMove } from "./support/game.mjs";

// Without resignations, games end by the rules.
const { server, browser } = await startServerAndBrowser("--bot-resigns", "false");
const startGame = computerGameStarter({ server, browser });

/** Engine process that suggests moves, so that games end soon. */
class EngineProcess {
  constructor(variant) {
    this.process = spawn(process.env.SPRONG_BINARY, ["engine"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.process.stdin.write(`setoption name variant value ${variant}\n`);
  }

  /** Returns a good move for the current position. */
  async bestMove({ initialFen, state }) {
    this.process.stdin.write(`position text ${initialFen} moves ${state.moves}\ngo nodes 2000\n`);
    for (;;) {
      const { value: line, done } = await this.lines.next();
      assert.ok(!done && !line.includes("error"), line ?? "the engine exited");
      if (line.startsWith("bestmove")) return line.split(" ")[1];
    }
  }
}

/** Plays against level 2 until the rules end the game; returns the variant and number of plies. */
const playToEnd = async (variant) => {
  const [user, id] = await startGame({ level: 2, variant });
  const engine = new EngineProcess(variant);
  try {
    while (await waitForTurn(user)) {
      const { body } = await user.request(`/api/game/${id}`);
      const plies = body.state.moves ? body.state.moves.split(" ").length : 0;
      await makeMove(user, await engine.bestMove(body));
      await user.page.waitForFunction(
        (count) =>
          document.querySelectorAll(".game-moves button").length > count ||
          document.querySelector(".game-result"),
        plies,
      );
    }
  } finally {
    engine.process.kill();
  }
  const { end, state } = (await user.request(`/api/game/${id}`)).body;
  const plies = state.moves.split(" ").length;
  // The game ends by its goal or as a draw by rule, not by resignation or absence.
  assert.ok(
    end.status === "variantEnd" || ["repetition", "noProgress"].includes(end.reason),
    `${variant} after ${plies} plies: ${JSON.stringify(end)}`,
  );
  assert.equal(
    await user.page.textContent(".game-result h2"),
    end.winner === "first" ? "You won" : end.winner ? "You lost" : "Drawn",
  );
  assert.equal(
    await user.page.locator(".game-player.is-top .game-player-thinking:not(.is-hidden)").count(),
    0,
    "the computer does not think after the end",
  );
  assertNoErrors(server, [user]);
  return [variant, plies];
};

// Variants differ little on the page: tests/slow plays all.
test("games against level 2 end by the rules", async (context) => {
  const games = await Promise.all((ALL_CASES ? VARIANTS : ["wieNietWegIs"]).map(playToEnd));
  for (const [variant, plies] of games) context.diagnostic(`${variant}: ${plies} plies`);
});
