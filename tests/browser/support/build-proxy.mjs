// Reverse proxy that simulates another build of the server, or another browser for the worker.
import { createServer, request } from "node:http";
import { connect } from "node:net";

export class Front {
  /** Starts a proxy for the server on a port. It reports the same build until `renew` is called. */
  static async open(port) {
    const front = new Front();
    const [, own] = (
      await fetch(`http://127.0.0.1:${port}/sw.js`).then((response) => response.text())
    ).match(/const BUILD = "(\w+)"/);
    Object.assign(front, { port, own, build: own, before: "" });
    front.listener = createServer((asked, answer) => front.hand(asked, answer));
    front.listener.on("upgrade", (asked, socket) => front.join(asked, socket));
    await new Promise((done) => front.listener.listen(0, "127.0.0.1", done));
    front.url = `http://127.0.0.1:${front.listener.address().port}`;
    return front;
  }

  /** Simulates a newer build; files of the old one are no longer served. */
  renew() {
    this.build = `${this.build}0`;
  }

  hand(asked, answer) {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    // Prevents a 304 response for a different build.
    delete headers["if-none-match"];
    const [, build, rest] = asked.url.match(/^\/_\/(\w+)(\/.*)$/) ?? [];
    if (build && build !== this.build) return answer.writeHead(404).end();
    const path = build ? `/_/${this.own}${rest}` : asked.url;
    const on = request(
      { host: "127.0.0.1", port: this.port, method: asked.method, path, headers },
      (told) => this.tell(asked, told, answer),
    );
    on.on("error", () => answer.destroy());
    return asked.pipe(on);
  }

  /**
   * Replaces the build in pages and in the worker, and prepends `before` to the worker. Forwards
   * other responses unchanged.
   */
  tell(asked, told, answer) {
    if (asked.url !== "/sw.js" && !told.headers["content-type"]?.startsWith("text/html")) {
      answer.writeHead(told.statusCode, told.rawHeaders);
      return told.pipe(answer);
    }
    const parts = [];
    told.on("data", (part) => parts.push(part));
    return told.on("end", () => {
      const { "content-length": _, ...headers } = told.headers;
      const text = Buffer.concat(parts).toString().replaceAll(this.own, this.build);
      answer
        .writeHead(told.statusCode, headers)
        .end(asked.url === "/sw.js" ? this.before + text : text);
    });
  }

  join(asked, socket) {
    const on = connect(this.port, "127.0.0.1", () => {
      const head = asked.rawHeaders
        .map((word, at) => (at % 2 ? `${word}\r\n` : `${word}: `))
        .join("");
      on.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${head}\r\n`);
      socket.pipe(on).pipe(socket);
    });
    for (const end of [on, socket]) {
      end.on("error", () => {
        on.destroy();
        socket.destroy();
      });
    }
  }

  close() {
    this.listener.close();
    this.listener.closeAllConnections();
  }
}
