// TCP proxy that simulates bad connections.
import { connect, createServer } from "node:net";

/**
 * Proxy between a browser and the server. `delay` is in milliseconds; `away` refuses and `silent`
 * mutes new connections.
 */
export class Proxy {
  static async open(port) {
    const proxy = new Proxy();
    proxy.delay = 0;
    proxy.pairs = new Set();
    proxy.listener = createServer((near) => proxy.join(near, port));
    await new Promise((done) => proxy.listener.listen(0, "127.0.0.1", done));
    proxy.url = `http://127.0.0.1:${proxy.listener.address().port}`;
    return proxy;
  }

  join(near, port) {
    if (this.away) return near.destroy();
    const far = connect(port, "127.0.0.1");
    const pair = { near, far, mute: Boolean(this.silent) };
    this.pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      this.pairs.delete(pair);
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on(
        "data",
        (bytes) =>
          !pair.mute && setTimeout(() => !pair.mute && to.writable && to.write(bytes), this.delay),
      );
      from.on("error", end);
      from.on("close", () => pair.mute || end());
    }
    return undefined;
  }

  cut() {
    for (const { near, far } of this.pairs) {
      near.destroy();
      far.destroy();
    }
    this.pairs.clear();
  }

  /** Drops all further data of open connections without closing them. */
  mute() {
    for (const pair of this.pairs) pair.mute = true;
  }

  close() {
    this.cut();
    this.listener.close();
  }
}
