// Complete games against the computer, by clicks.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { againstIn, mine } from "./support/computer.mjs";
import { house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { VARIANTS, make } from "./support/game.mjs";

// Without resignations, games end by the rules.
const { server, browser } = await house("--bot-resigns", "false");
const game = againstIn({ server, browser });

/** Engine process that suggests moves, so that games end soon. */
class Adviser {
  constructor(variant) {
    this.process = spawn(process.env.SPRONG_BINARY, ["engine"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.answers = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.process.stdin.write(`setoption name variant value ${variant}\n`);
  }

  /** Returns a good move for the current position. */
  async move({ initialFen, state }) {
    this.process.stdin.write(`position text ${initialFen} moves ${state.moves}\ngo nodes 2000\n`);
    for (;;) {
      const { value: line, done } = await this.answers.next();
      assert.ok(!done && !line.includes("error"), line ?? "the engine exited");
      if (line.startsWith("bestmove")) return line.split(" ")[1];
    }
  }
}

/** Plays against level 2 until the rules end the game; returns the variant and number of plies. */
const whole = async (variant) => {
  const [person, id] = await game({ level: 2, variant });
  const adviser = new Adviser(variant);
  try {
    while (await mine(person)) {
      const { body } = await person.ask(`/api/game/${id}`);
      const plies = body.state.moves ? body.state.moves.split(" ").length : 0;
      await make(person, await adviser.move(body));
      await person.page.waitForFunction(
        (count) =>
          document.querySelectorAll(".game-moves button").length > count ||
          document.querySelector(".game-result"),
        plies,
      );
    }
  } finally {
    adviser.process.kill();
  }
  const { end, state } = (await person.ask(`/api/game/${id}`)).body;
  const plies = state.moves.split(" ").length;
  // The game ends by its goal or as a draw by rule, not by resignation or absence.
  assert.ok(
    end.status === "variantEnd" || ["repetition", "noProgress"].includes(end.reason),
    `${variant} after ${plies} plies: ${JSON.stringify(end)}`,
  );
  assert.equal(
    await person.page.textContent(".game-result h2"),
    end.winner === "first" ? "You won" : end.winner ? "You lost" : "Drawn",
  );
  assert.equal(
    await person.page.locator(".game-player.is-top .game-player-thinking:not(.is-hidden)").count(),
    0,
    "the computer does not think after the end",
  );
  wasQuiet(server, [person]);
  return [variant, plies];
};

test("games against level 2 in each variant reach their natural end", async (t) => {
  const games = await Promise.all(VARIANTS.map(whole));
  for (const [variant, plies] of games) t.diagnostic(`${variant}: ${plies} plies`);
});
