// TCP proxy that simulates bad connections.
import { connect, createServer } from "node:net";

/**
 * Proxy between a browser and the server. `delay` is in milliseconds; `isRefusing` refuses
 * and `isSilent` mutes new connections.
 */
export class TcpProxy {
  static async open(port) {
    const proxy = new TcpProxy();
    proxy.delay = 0;
    proxy.connections = new Set();
    proxy.listener = createServer((client) => proxy.forward(client, port));
    await new Promise((resolve) => proxy.listener.listen(0, "127.0.0.1", resolve));
    proxy.url = `http://127.0.0.1:${proxy.listener.address().port}`;
    return proxy;
  }

  forward(client, port) {
    if (this.isRefusing) return client.destroy();
    const upstream = connect(port, "127.0.0.1");
    const connection = { client, upstream, mute: Boolean(this.isSilent) };
    this.connections.add(connection);
    const closeBoth = () => {
      client.destroy();
      upstream.destroy();
      this.connections.delete(connection);
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      from.on(
        "data",
        (bytes) =>
          !connection.mute &&
          setTimeout(() => !connection.mute && to.writable && to.write(bytes), this.delay),
      );
      from.on("error", closeBoth);
      from.on("close", () => connection.mute || closeBoth());
    }
    return undefined;
  }

  closeConnections() {
    for (const { client, upstream } of this.connections) {
      client.destroy();
      upstream.destroy();
    }
    this.connections.clear();
  }

  /** Drops all further data of open connections without closing them. */
  mute() {
    for (const connection of this.connections) connection.mute = true;
  }

  close() {
    this.closeConnections();
    this.listener.close();
  }
}
