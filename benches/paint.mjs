// Measures the latency from a move message to the painted frame, and the frame rate of animations.
// Usage: SPRONG_BINARY=… node benches/paint.mjs [variant] [plies]
import { Person, Server, launch } from "../tests/browser/support/server.mjs";

const [variant = "hogga", plies = "40"] = process.argv.slice(2);

/** Records in the page, per move: script time, next frame, and the frames of the animation. */
const watch = () => {
  const told = [];
  window.told = told;
  const frames = (note) => {
    const at = [];
    const step = (now) => {
      at.push(now);
      if (
        document
          .querySelector(".board-svg.is-interactive")
          .getAnimations({ subtree: true })
          .some(({ playState }) => playState === "running")
      )
        requestAnimationFrame(step);
      else note.frames = at;
    };
    requestAnimationFrame(step);
  };
  const heard = ({ data }) => {
    if (!data.startsWith('{"t":"move"') && !data.includes('"t":"move"')) return;
    const note = { heard: performance.now() };
    told.push(note);
    performance.mark("heard");
    requestAnimationFrame(() => {
      note.frame = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        note.painted = performance.now();
        performance.measure("painted", "heard");
        frames(note);
      };
      port2.postMessage(null);
    });
  };
  const handled = ({ data }) => {
    if (data.includes('"t":"move"')) told.at(-1).handled = performance.now();
  };
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", heard);
      // Runs after the listener of the page is registered.
      queueMicrotask(() => this.addEventListener("message", handled));
    }
  };
};

const among = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))];
const line = (name, values, unit) =>
  console.log(
    `${name.padEnd(34)} median ${among(values, 0.5).toFixed(1)} ${unit}, 95 of 100 within ${among(values, 0.95).toFixed(1)} ${unit}`,
  );

const server = await Server.start();
const browser = await launch();
try {
  const [one, two] = await Promise.all(
    [1, 2].map(() => Person.open(browser, server, { reducedMotion: "no-preference" }, null)),
  );
  for (const person of [one, two]) await person.told("/api/guest", {});
  const id = await one.begin(two, variant, { "clock.limit": 1800 });
  await one.page.addInitScript(watch);
  await one.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
  for (let ply = 0; ply < Number(plies); ply += 1) {
    const mover = ply % 2 ? two : one;
    const { legal, end } = (await mover.ask(`/api/game/${id}`)).body;
    if (end || !legal) break;
    // Chooses among the moves with the longest notation, which have the longest animations.
    const u = [...legal].sort((a, b) => b.length - a.length)[ply % Math.min(3, legal.length)];
    await mover.play(id, u);
    await one.page.waitForFunction(
      (count) => window.told.length >= count && window.told.at(-1).frames,
      ply + 1,
    );
  }
  const told = await one.page.evaluate(() => window.told);
  console.log(`${variant}, ${told.length} moves seen by both sides, 1280 × 800`);
  line(
    "script of the message",
    told.map(({ heard, handled }) => handled - heard),
    "ms",
  );
  line(
    "style, layout and paint",
    told.map(({ frame, painted }) => painted - frame),
    "ms",
  );
  line(
    "both together",
    told.map(({ heard, handled, frame, painted }) => handled - heard + painted - frame),
    "ms",
  );
  line(
    "message to painted frame",
    told.map(({ heard, painted }) => painted - heard),
    "ms",
  );
  const gaps = told.flatMap(({ frames }) => frames.slice(1).map((at, n) => at - frames[n]));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  console.log(
    `${"frames while pieces travel".padEnd(34)} ${((1000 * gaps.length) / total).toFixed(1)} a second; 95 of 100 within ${among(gaps, 0.95).toFixed(1)} ms of the one before`,
  );
} finally {
  await browser.close();
  await server.stop();
}
