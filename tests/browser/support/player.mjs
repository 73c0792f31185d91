// Players that use the HTTP API, with or without a page.
export const PASSWORD = "correct-horse";

/** Time control of 10 minutes per player, for live games. */
export const CLOCK = { "clock.limit": 600 };

/**
 * API client. Subclasses implement `request(path, body)`, a POST request if there is a body, which
 * returns `{ status, body }` of the response.
 */
export class ApiClient {
  /** Sends a request and returns the body of the response. Throws on any status from 300. */
  get(path) {
    return this.requestBody(path);
  }

  post(path, body) {
    return this.requestBody(path, body);
  }

  async requestBody(path, body) {
    const response = await this.request(path, body);
    if (response.status >= 300)
      throw new Error(
        `${this.name ?? "somebody"} at ${path}: ${response.status} ${JSON.stringify(response.body)}`,
      );
    return response.body;
  }

  /** Creates an account without the form. */
  async register(name) {
    await this.post("/api/register", { username: name, password: PASSWORD });
    this.name = name;
  }

  /** Starts a game in which this player moves first, without a clock by default; returns its id. */
  async startGame(other, variant, fields = {}) {
    const { id } = await this.post("/api/challenge", { variant, color: "first", ...fields });
    const { ready } = await other.post(`/api/challenge/${id}/accept`, {});
    // A creator without an open page receives a ready check.
    if (ready === false) await this.post(`/api/challenge/${id}/ready`, { answer: "yes" });
    return id;
  }

  /** Returns the legal moves of this player; undefined out of turn. */
  async legalMoves(id) {
    return (await this.get(`/api/game/${id}`)).legal;
  }

  /** Makes the given move, or the middle one of the legal moves. */
  async play(id, u) {
    const legal = u ? [] : await this.legalMoves(id);
    await this.post(
      `/api/board/game/${id}/move/${encodeURIComponent(u ?? legal[Math.floor(legal.length / 2)])}`,
      {},
    );
  }

  resign(id) {
    return this.post(`/api/board/game/${id}/resign`, {});
  }

  abort(id) {
    return this.post(`/api/board/game/${id}/abort`, {});
  }

  /** Wins a rated game by the opponent's resignation after two plies; returns its id. */
  async beat(other, variant) {
    const id = await this.startGame(other, variant, { rated: true, days: 3 });
    for (const mover of [this, other]) await mover.play(id);
    await other.resign(id);
    return id;
  }
}

/** Player without a page. */
export class Player extends ApiClient {
  static async create(server, name) {
    const player = new Player();
    player.server = server;
    await player.register(name);
    return player;
  }

  async request(path, body) {
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
