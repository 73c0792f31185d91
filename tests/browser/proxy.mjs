// A line that can be made as bad as lines are.
import { connect, createServer } from "node:net";

/** Between a browser and the server: delays, cuts, or lets everything vanish. */
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

  /** What is open now stays open, and nothing comes through any more; while `silent` is set, that holds of all that is opened. */
  mute() {
    for (const pair of this.pairs) pair.mute = true;
  }

  close() {
    this.cut();
    this.listener.close();
  }
}
