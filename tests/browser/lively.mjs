// A server on which every page has something to show: players with ratings, games in play and over, an open challenge.
import { PASSWORD, Server } from "./house.mjs";

/** Somebody who asks by hand, without a page. */
class Caller {
  constructor(server) {
    this.server = server;
  }

  async ask(path, body) {
    const headers = { "content-type": "application/json", ...(this.cookie && { cookie: this.cookie }) };
    const response = await fetch(this.server.url + path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
    this.cookie = response.headers.get("set-cookie")?.split(";")[0] ?? this.cookie;
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A game by days against somebody, this one being first, and so many moves of it. */
  async game(other, variant, moves) {
    const { id } = await this.ask("/api/challenge", { variant, color: "first", rated: true, days: 3 });
    await other.ask(`/api/challenge/${id}/accept`, {});
    for (let ply = 0; ply < moves; ply += 1) {
      const mover = ply % 2 ? other : this;
      const { legal } = await mover.ask(`/api/game/${id}`);
      await mover.ask(`/api/board/game/${id}/move/${encodeURIComponent(legal[Math.floor(legal.length / 2)])}`, {});
    }
    return id;
  }
}

/** That server; `over` and `game` are the ids of a game that is over and of one in play. */
export const livelyServer = async () => {
  const server = await Server.start();
  const [ann, ben] = [new Caller(server), new Caller(server)];
  await ann.ask("/api/register", { username: "Ann", password: PASSWORD });
  await ben.ask("/api/register", { username: "Ben", password: PASSWORD });
  const over = await ann.game(ben, "hogga", 6);
  await ben.ask(`/api/board/game/${over}/resign`, {});
  const game = await ann.game(ben, "knightFight", 6);
  await ann.game(ben, "caterpillarWar", 3);
  await ben.ask("/api/challenge", { variant: "wieNietWegIs", rated: false, days: 3 });
  await ann.ask("/api/challenge", { variant: "kopfOderKnopf", rated: true, days: 2 });
  return { server, over, game };
};
