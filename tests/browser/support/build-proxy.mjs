// Reverse proxy that simulates another build of the server, or another browser for the worker.
import { createServer, request } from "node:http";
import { connect } from "node:net";

export class BuildProxy {
  /**
   * Starts a proxy for the server on a port. It reports the same build until
   * `simulateNewBuild` is called.
   */
  static async open(port) {
    const proxy = new BuildProxy();
    const [, build] = (
      await fetch(`http://127.0.0.1:${port}/sw.js`).then((response) => response.text())
    ).match(/const BUILD = "(\w+)"/);
    Object.assign(proxy, { port, serverBuild: build, build, workerPrefix: "" });
    proxy.listener = createServer((incoming, response) => proxy.forward(incoming, response));
    proxy.listener.on("upgrade", (incoming, socket) => proxy.upgrade(incoming, socket));
    await new Promise((resolve) => proxy.listener.listen(0, "127.0.0.1", resolve));
    proxy.url = `http://127.0.0.1:${proxy.listener.address().port}`;
    return proxy;
  }

  /** Simulates a newer build; files of the old one are no longer served. */
  simulateNewBuild() {
    this.build = `${this.build}0`;
  }

  forward(incoming, response) {
    const headers = { ...incoming.headers, "accept-encoding": "identity" };
    // Prevents a 304 response for a different build.
    delete headers["if-none-match"];
    const [, build, rest] = incoming.url.match(/^\/_\/(\w+)(\/.*)$/) ?? [];
    if (build && build !== this.build) return response.writeHead(404).end();
    const path = build ? `/_/${this.serverBuild}${rest}` : incoming.url;
    const upstream = request(
      { host: "127.0.0.1", port: this.port, method: incoming.method, path, headers },
      (upstreamResponse) => this.respond(incoming, upstreamResponse, response),
    );
    upstream.on("error", () => response.destroy());
    return incoming.pipe(upstream);
  }

  /**
   * Replaces the build in pages and in the worker, and prepends `workerPrefix` to the worker.
   * Forwards other responses unchanged.
   */
  respond(incoming, upstreamResponse, response) {
    if (
      incoming.url !== "/sw.js" &&
      !upstreamResponse.headers["content-type"]?.startsWith("text/html")
    ) {
      response.writeHead(upstreamResponse.statusCode, upstreamResponse.rawHeaders);
      return upstreamResponse.pipe(response);
    }
    const parts = [];
    upstreamResponse.on("data", (part) => parts.push(part));
    return upstreamResponse.on("end", () => {
      const { "content-length": _, ...headers } = upstreamResponse.headers;
      const text = Buffer.concat(parts).toString().replaceAll(this.serverBuild, this.build);
      response
        .writeHead(upstreamResponse.statusCode, headers)
        .end(incoming.url === "/sw.js" ? this.workerPrefix + text : text);
    });
  }

  upgrade(incoming, socket) {
    const upstream = connect(this.port, "127.0.0.1", () => {
      const headers = incoming.rawHeaders
        .map((header, index) => (index % 2 ? `${header}\r\n` : `${header}: `))
        .join("");
      upstream.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers}\r\n`);
      socket.pipe(upstream).pipe(socket);
    });
    for (const end of [upstream, socket]) {
      end.on("error", () => {
        upstream.destroy();
        socket.destroy();
      });
    }
  }

  close() {
    this.listener.close();
    this.listener.closeAllConnections();
  }
}
