// What makes every page have something to show: players with ratings, games in play and over, an open challenge.
import { Server } from "./house.mjs";
import { Player } from "./player.mjs";

/** A game by days and so many moves of it; its id. */
const begin = async (one, two, variant, moves) => {
  const id = await one.begin(two, variant, { rated: true, days: 3 });
  for (let ply = 0; ply < moves; ply += 1) await (ply % 2 ? two : one).play(id);
  return id;
};

/** Fills that server; `over` and `game` are the ids of a game that is over and of one in play. */
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

/** A server that is filled so, with those ids. */
export const livelyServer = async () => {
  const server = await Server.start();
  return { server, ...(await enliven(server)) };
};
