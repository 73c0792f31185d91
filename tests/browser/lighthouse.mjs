// Runs Lighthouse on the first page and on a game, on a desktop and on a phone; the aim is 95 of 100 in each category.
// Fails below that, except for performance, which depends on the machine and is only printed. A run that Lighthouse
// itself could not finish, such as one in which the page was not painted in time, has no scores and is repeated.
// With "home" or "game" only that page is tested; RUNS (3) is how often at most; PERFORMANCE=0 leaves performance out.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { livelyServer } from "./lively.mjs";

const LEAST = 95;
const JUDGED = ["accessibility", "best-practices", "seo"];
/** Without performance, which is never judged, the runs are shorter. */
const CATEGORIES = process.env.PERFORMANCE === "0" ? JUDGED : ["performance", ...JUDGED];
/** What is told is the middle one of so many runs. */
const RUNS = Number(process.env.RUNS ?? 3);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const { server, game } = await livelyServer();
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
  logLevel: "error",
});

/** How often a run without scores is repeated, and how long a page may take to load, in milliseconds. */
const REPEATS_MAX = 3;
const LOAD_MAX_MS = 120000;

/** One run of Lighthouse that has all scores which are judged. */
const report = async (path, config) => {
  for (let repeats = 0; ; repeats += 1) {
    const flags = {
      port: chrome.port,
      onlyCategories: CATEGORIES,
      logLevel: "error",
      maxWaitForLoad: LOAD_MAX_MS,
      maxWaitForFcp: LOAD_MAX_MS,
    };
    const { lhr } = await lighthouse(server.url + path, flags, config);
    if (!lhr.runtimeError && JUDGED.every((key) => lhr.categories[key].score !== null)) return lhr;
    const broken = Object.values(lhr.audits)
      .filter(({ scoreDisplayMode }) => scoreDisplayMode === "error")
      .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
    console.log(
      `${path}: a run without scores (${[lhr.runtimeError?.message, ...broken].filter(Boolean).join("; ")})`,
    );
    if (repeats === REPEATS_MAX)
      throw new Error(`${path}: Lighthouse has no scores after ${repeats + 1} runs`);
  }
};

/** Returns the scores of a page, of 100 by category, and the audits that cost something. */
const look = async (path, config) => {
  const lhr = await report(path, config);
  const scores = Object.fromEntries(
    CATEGORIES.map((key) => [key, Math.round(100 * lhr.categories[key].score)]),
  );
  const faults = CATEGORIES.flatMap((key) =>
    lhr.categories[key].auditRefs
      .filter(
        ({ id, weight }) =>
          weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9,
      )
      .map(
        ({ id }) =>
          `${key}: ${id} ${lhr.audits[id].displayValue ?? ""} ${(
            lhr.audits[id].details?.items ?? []
          )
            .slice(0, 3)
            .map((item) => item.node?.selector ?? item.description ?? item.url ?? "")
            .join(" | ")}`,
      ),
  );
  return { scores, faults };
};

let failed = false;
try {
  for (const [device, config] of [
    ["desk", desktopConfig],
    ["phone", undefined],
  ]) {
    for (const [name, path] of [
      ["home", "/"],
      ["game", `/${game}`],
    ]) {
      if (process.argv[2] && process.argv[2] !== name) continue;
      const looks = [await look(path, config)];
      // A first run that is good enough needs no second opinion.
      while (looks.length < RUNS && looks[0].scores.performance < LEAST)
        looks.push(await look(path, config));
      const scores = Object.fromEntries(
        CATEGORIES.map((key) => [key, median(looks.map((one) => one.scores[key]))]),
      );
      console.log(
        `${name}, ${device}: ${CATEGORIES.map((key) => `${key} ${scores[key]}`).join(", ")}${looks.length > 1 ? ` (median of ${looks.map((one) => one.scores.performance).join(", ")})` : ""}`,
      );
      for (const fault of looks[0].faults) console.log(`  ${fault}`);
      failed ||= JUDGED.some((key) => scores[key] < LEAST);
    }
  }
} finally {
  chrome.kill();
  await server.stop();
}
process.exitCode = failed ? 1 : 0;
