// Players that use the HTTP API, with or without a page.
export const PASSWORD = "correct-horse";

/** Time control of 10 minutes per player, for live games. */
export const CLOCK = { "clock.limit": 600 };

/** API client. Subclasses implement `ask(path, body)`, which returns `{ status, body }`. */
export class Asker {
  /** Makes a request and returns the body. Throws on any status from 300. */
  async told(path, body) {
    const answer = await this.ask(path, body);
    if (answer.status >= 300)
      throw new Error(
        `${this.name ?? "somebody"} at ${path}: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
    return answer.body;
  }

  /** Creates an account without the form. */
  async register(name) {
    await this.told("/api/register", { username: name, password: PASSWORD });
    this.name = name;
  }

  /** Starts a game in which this player moves first, without a clock by default; returns its id. */
  async begin(other, variant, fields = {}) {
    const { id } = await this.told("/api/challenge", { variant, color: "first", ...fields });
    const { ready } = await other.told(`/api/challenge/${id}/accept`, {});
    // A creator without an open page receives a ready check.
    if (ready === false) await this.told(`/api/challenge/${id}/ready`, { answer: "yes" });
    return id;
  }

  /** Returns the legal moves of this player; undefined out of turn. */
  async legal(id) {
    return (await this.told(`/api/game/${id}`)).legal;
  }

  /** Makes the given move, or the middle one of the legal moves. */
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

  /** Wins a rated game by the opponent's resignation after two plies; returns its id. */
  async beat(other, variant) {
    const id = await this.begin(other, variant, { rated: true, days: 3 });
    for (const mover of [this, other]) await mover.play(id);
    await other.resign(id);
    return id;
  }
}

/** Player without a page. */
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
