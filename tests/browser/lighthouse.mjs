// Runs Lighthouse on the lobby and on a game, on a desktop and on a phone.
//
// Fails if a score is below 95 of 100, except for performance, which depends on the machine and is
// only printed. Runs that Lighthouse fails to finish, for example because the page was not painted
// in time, have no scores and are repeated.
//
// The argument "home" or "game" limits the test to one page; RUNS (default 3) is the maximum number
// of runs; PERFORMANCE=0 skips performance.
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { startPopulatedServer } from "./support/fixtures.mjs";

const SCORE_MIN = 95;
const REQUIRED_CATEGORIES = ["accessibility", "best-practices", "seo"];
/** Lighthouse categories. Runs without performance, which has no minimum score, are shorter. */
const CATEGORIES =
  process.env.PERFORMANCE === "0" ? REQUIRED_CATEGORIES : ["performance", ...REQUIRED_CATEGORIES];
/** Maximum number of runs; the median is printed. */
const RUNS = Number(process.env.RUNS ?? 3);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const { server, game } = await startPopulatedServer();
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
  chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
  logLevel: "error",
});

/** Maximum number of repetitions of a run without scores, and timeout of a page load. */
const REPEATS_MAX = 3;
const LOAD_MAX_MS = 120000;

/**
 * Runs Lighthouse until all scores with a minimum are present. Throws after `REPEATS_MAX`
 * repetitions.
 */
const runLighthouse = async (path, config) => {
  for (let repeats = 0; ; repeats += 1) {
    const flags = {
      port: chrome.port,
      onlyCategories: CATEGORIES,
      logLevel: "error",
      maxWaitForLoad: LOAD_MAX_MS,
      maxWaitForFcp: LOAD_MAX_MS,
    };
    const { lhr } = await lighthouse(server.url + path, flags, config);
    if (!lhr.runtimeError && REQUIRED_CATEGORIES.every((key) => lhr.categories[key].score !== null))
      return lhr;
    const failures = Object.values(lhr.audits)
      .filter(({ scoreDisplayMode }) => scoreDisplayMode === "error")
      .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
    console.log(
      `${path}: a run without scores (${[lhr.runtimeError?.message, ...failures].filter(Boolean).join("; ")})`,
    );
    if (repeats === REPEATS_MAX)
      throw new Error(`${path}: Lighthouse has no scores after ${repeats + 1} runs`);
  }
};

/** Returns the scores of a page (0 to 100) by category, and the audits that lower them. */
const measure = async (path, config) => {
  const lhr = await runLighthouse(path, config);
  const scores = Object.fromEntries(
    CATEGORIES.map((key) => [key, Math.round(100 * lhr.categories[key].score)]),
  );
  const failedAudits = CATEGORIES.flatMap((key) =>
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
  return { scores, failedAudits };
};

let failed = false;
try {
  for (const [device, config] of [
    ["desktop", desktopConfig],
    ["phone", undefined],
  ]) {
    for (const [name, path] of [
      ["home", "/"],
      ["game", `/${game}`],
    ]) {
      if (process.argv[2] && process.argv[2] !== name) continue;
      const measurements = [await measure(path, config)];
      // A sufficient first score needs no further runs.
      while (measurements.length < RUNS && measurements[0].scores.performance < SCORE_MIN)
        measurements.push(await measure(path, config));
      const scores = Object.fromEntries(
        CATEGORIES.map((key) => [
          key,
          median(measurements.map((measurement) => measurement.scores[key])),
        ]),
      );
      console.log(
        `${name}, ${device}: ${CATEGORIES.map((key) => `${key} ${scores[key]}`).join(", ")}${measurements.length > 1 ? ` (median of ${measurements.map((measurement) => measurement.scores.performance).join(", ")})` : ""}`,
      );
      for (const audit of measurements[0].failedAudits) console.log(`  ${audit}`);
      failed ||= REQUIRED_CATEGORIES.some((key) => scores[key] < SCORE_MIN);
    }
  }
} finally {
  chrome.kill();
  await server.stop();
}
process.exitCode = failed ? 1 : 0;
