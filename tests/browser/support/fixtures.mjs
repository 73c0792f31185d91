// Sample data that fills every page: rated players, games in progress and finished, open
// challenges.
import { Server } from "./server.mjs";
import { Player } from "./player.mjs";

/** Starts a rated correspondence game, plays `moves` plies, and returns its id. */
const startCorrespondenceGame = async (first, second, variant, moves) => {
  const id = await first.startGame(second, variant, { rated: true, days: 3 });
  for (let ply = 0; ply < moves; ply += 1) await (ply % 2 ? second : first).play(id);
  return id;
};

/**
 * Fills a server; returns the ids of a finished game, of one in progress (`game`), and of a
 * challenge.
 */
export const populate = async (server) => {
  const [ann, ben] = [await Player.create(server, "Ann"), await Player.create(server, "Ben")];
  const finishedGame = await startCorrespondenceGame(ann, ben, "hogga", 6);
  await ben.resign(finishedGame);
  const game = await startCorrespondenceGame(ann, ben, "knightFight", 6);
  await startCorrespondenceGame(ann, ben, "caterpillarWar", 3);
  const { id: challenge } = await ben.post("/api/challenge", {
    variant: "wieNietWegIs",
    rated: false,
    days: 3,
  });
  await ann.post("/api/challenge", { variant: "kopfOderKnopf", rated: true, days: 2 });
  return { finishedGame, game, challenge };
};

/** Starts a server and fills it; returns it with the ids. */
export const startPopulatedServer = async () => {
  const server = await Server.start();
  return { server, ...(await populate(server)) };
};
