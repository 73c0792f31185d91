// Sample data that fills every page: rated players, games in progress and finished, open
// challenges.
import { Server } from "./server.mjs";
import { Player } from "./player.mjs";

/** Starts a rated correspondence game, plays `moves` plies, and returns its id. */
const begin = async (one, two, variant, moves) => {
  const id = await one.begin(two, variant, { rated: true, days: 3 });
  for (let ply = 0; ply < moves; ply += 1) await (ply % 2 ? two : one).play(id);
  return id;
};

/** Fills a server; returns the ids of a finished game (`over`) and of one in progress (`game`). */
export const enliven = async (server) => {
  const [ann, ben] = [await Player.named(server, "Ann"), await Player.named(server, "Ben")];
  const over = await begin(ann, ben, "hogga", 6);
  await ben.resign(over);
  const game = await begin(ann, ben, "knightFight", 6);
  await begin(ann, ben, "caterpillarWar", 3);
  await ben.told("/api/challenge", { variant: "wieNietWegIs", rated: false, days: 3 });
  await ann.told("/api/challenge", { variant: "kopfOderKnopf", rated: true, days: 2 });
  return { over, game };
};

/** Starts a server and fills it; returns it with the ids. */
export const livelyServer = async () => {
  const server = await Server.start();
  return { server, ...(await enliven(server)) };
};
