// Between a browser and the server: makes it look like a server of another build, or the worker find another browser.
import { createServer, request } from "node:http";
import { connect } from "node:net";

export class Front {
  /** In front of that server, of the same build as long as nothing is changed. */
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

  /** What is served from now on is of a newer build; that of the old one is gone. */
  renew() {
    this.build = `${this.build}0`;
  }

  hand(asked, answer) {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    // What was said of another build must not be told to be still the same.
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

  /** Pages and the worker name the build, and `before` runs before the worker; everything else goes through as it is. */
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
