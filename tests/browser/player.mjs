// Who plays by asking the server, as programs do, with a page or without one.
export const PASSWORD = "correct-horse";

/** Ten minutes for each, for games that are played at once. */
export const CLOCK = { "clock.limit": 600 };

/** Somebody who asks: `ask(path, body)` makes a request and answers `{ status, body }`. */
export class Asker {
  /** What is answered, where nothing may be refused. */
  async told(path, body) {
    const answer = await this.ask(path, body);
    if (answer.status >= 300)
      throw new Error(
        `${this.name ?? "somebody"} at ${path}: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
    return answer.body;
  }

  /** Makes the account without the form. */
  async register(name) {
    await this.told("/api/register", { username: name, password: PASSWORD });
    this.name = name;
  }

  /** Begins a game against somebody in which this one is first, without a clock if the fields name none; answers its id. */
  async begin(other, variant, fields = {}) {
    const { id } = await this.told("/api/challenge", { variant, color: "first", ...fields });
    const { ready } = await other.told(`/api/challenge/${id}/accept`, {});
    // Who is at no page of ours is asked to come.
    if (ready === false) await this.told(`/api/challenge/${id}/ready`, { answer: "yes" });
    return id;
  }

  /** The moves that this one may make; undefined out of turn. */
  async legal(id) {
    return (await this.told(`/api/game/${id}`)).legal;
  }

  /** Makes that move, or one from the middle of those that are legal. */
  async play(id, u) {
    const legal = u ? [] : await this.legal(id);
    await this.told(
      `/api/board/game/${id}/move/${encodeURIComponent(u ?? legal[Math.floor(legal.length / 2)])}`,
      {},
    );
  }

  resign(id) {
    return this.told(`/api/board/game/${id}/resign`, {});
  }

  abort(id) {
    return this.told(`/api/board/game/${id}/abort`, {});
  }

  /** Wins a rated game against somebody, who gives up when each has moved; answers its id. */
  async beat(other, variant) {
    const id = await this.begin(other, variant, { rated: true, days: 3 });
    for (const mover of [this, other]) await mover.play(id);
    await other.resign(id);
    return id;
  }
}

/** Somebody without a page. */
export class Player extends Asker {
  static async named(server, name) {
    const player = new Player();
    player.server = server;
    await player.register(name);
    return player;
  }

  async ask(path, body) {
    const headers = {
      "content-type": "application/json",
      ...(this.cookie && { cookie: this.cookie }),
    };
    const response = await fetch(
      this.server.url + path,
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) },
    );
    this.cookie = response.headers.get("set-cookie")?.split(";")[0] ?? this.cookie;
    return { status: response.status, body: await response.json() };
  }
}
