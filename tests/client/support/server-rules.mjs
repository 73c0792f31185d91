// Reference for the client's rules: the server's rules and recorded games.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../games");

/** Recorded games: one for each value of each option of each variant. */
export const recordedGames = readdirSync(folder).map((file) => {
  const [head, moves, end] = readFileSync(join(folder, file), "utf8").trim().split("\n");
  const [, variant, options, seed] = head.match(/^variant=(\w+) options=(\S+) seed=(\d+)$/);
  return {
    name: file.replace(".txt", ""),
    variant,
    options,
    seed: Number(seed),
    moves: moves.split(" "),
    end,
  };
});

/** Returns the answers of the server's rules to a list of questions. */
export const queryServerRules = (queries) => {
  const binary = process.env.SPRONG_BINARY;
  if (!binary) throw new Error("SPRONG_BINARY must be the path of the server binary");
  const input = queries.map((query) => JSON.stringify(query)).join("\n");
  return execFileSync(binary, ["rules"], { input, encoding: "utf8", maxBuffer: 2 ** 30 })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};
