// Measures the latency from a move message to the painted frame, and the frame rate of animations.
// Usage: SPRONG_BINARY=… node benches/render_latency.mjs [variant] [plies]
import { User, Server, launchBrowser } from "../tests/browser/support/server.mjs";

const [variant = "hogga", plies = "40"] = process.argv.slice(2);

/** Records in the page, per move: script time, next frame, and the frames of the animation. */
const recordLatency = () => {
  const records = [];
  window.records = records;
  const recordFrames = (record) => {
    const times = [];
    const step = (now) => {
      times.push(now);
      if (
        document
          .querySelector(".board-svg.is-interactive")
          .getAnimations({ subtree: true })
          .some(({ playState }) => playState === "running")
      )
        requestAnimationFrame(step);
      else record.frames = times;
    };
    requestAnimationFrame(step);
  };
  const isMove = (data) => /"t":"(short)?[mM]ove"/.test(data);
  const onMessage = ({ data }) => {
    if (!isMove(data)) return;
    const record = { receivedAt: performance.now() };
    records.push(record);
    performance.mark("received");
    requestAnimationFrame(() => {
      record.frameAt = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        record.paintedAt = performance.now();
        performance.measure("painted", "received");
        recordFrames(record);
      };
      port2.postMessage(null);
    });
  };
  const onHandled = ({ data }) => {
    if (isMove(data)) records.at(-1).handledAt = performance.now();
  };
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", onMessage);
      // Runs after the listener of the page is registered.
      queueMicrotask(() => this.addEventListener("message", onHandled));
    }
  };
};

const percentile = (values, fraction) =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(fraction * values.length))
  ];
const printLatency = (name, values, unit) =>
  console.log(
    `${name.padEnd(34)} median ${percentile(values, 0.5).toFixed(1)} ${unit}, 95 of 100 within ${percentile(values, 0.95).toFixed(1)} ${unit}`,
  );

const server = await Server.start();
const browser = await launchBrowser();
try {
  const [first, second] = await Promise.all(
    [1, 2].map(() => User.open(browser, server, { reducedMotion: "no-preference" }, null)),
  );
  for (const user of [first, second]) await user.post("/api/guest", {});
  const id = await first.startGame(second, variant, { "clock.limit": 1800 });
  await first.page.addInitScript(recordLatency);
  await first.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
  for (let ply = 0; ply < Number(plies); ply += 1) {
    const mover = ply % 2 ? second : first;
    const { legal, end } = (await mover.request(`/api/game/${id}`)).body;
    if (end || !legal) break;
    // Chooses among the moves with the longest notation, which have the longest animations.
    const u = [...legal].sort((a, b) => b.length - a.length)[ply % Math.min(3, legal.length)];
    await mover.play(id, u);
    await first.page.waitForFunction(
      (count) => window.records.length >= count && window.records.at(-1).frames,
      ply + 1,
    );
  }
  const records = await first.page.evaluate(() => window.records);
  console.log(`${variant}, ${records.length} moves seen by both sides, 1280 × 800`);
  printLatency(
    "script of the message",
    records.map(({ receivedAt, handledAt }) => handledAt - receivedAt),
    "ms",
  );
  printLatency(
    "style, layout and paint",
    records.map(({ frameAt, paintedAt }) => paintedAt - frameAt),
    "ms",
  );
  printLatency(
    "both together",
    records.map(
      ({ receivedAt, handledAt, frameAt, paintedAt }) =>
        handledAt - receivedAt + paintedAt - frameAt,
    ),
    "ms",
  );
  printLatency(
    "message to painted frame",
    records.map(({ receivedAt, paintedAt }) => paintedAt - receivedAt),
    "ms",
  );
  const gaps = records.flatMap(({ frames }) =>
    frames.slice(1).map((time, index) => time - frames[index]),
  );
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  console.log(
    `${"frames while pieces travel".padEnd(34)} ${((1000 * gaps.length) / total).toFixed(1)} a second; 95 of 100 within ${percentile(gaps, 0.95).toFixed(1)} ms of the one before`,
  );
} finally {
  await browser.close();
  await server.stop();
}
