// Long texts of the status line are not cut in any language, beside a board and on phones.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languagesToFit } from "./support/all-cases.mjs";
import { languages } from "../client/support/languages.mjs";
import { startServerAndBrowser, User } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

const SIZES = [
  [360, 640],
  [390, 844],
  [1024, 768],
  [1440, 900],
];

/** Longest values of the placeholders. A name has at most 20 characters. */
const valuesOf = (scripts) => ({
  name: "Wilhelmina_Maximilia",
  side: [scripts["side.white"], scripts["side.black"], scripts["side.blue"]].sort(
    (one, two) => two.length - one.length,
  )[0],
  cell: "j10",
  tail: "h5",
  tower: "d1",
  pair: "a10–b10",
  cells: "a10, j10",
  n: "12",
  row: "10",
  total: "7",
  needed: "7",
  number: "57",
  wiped: "75",
  points: "98",
  numbers: "89",
  u: "h10xh7",
  dot: scripts["cell.dot-w"],
  of: "200",
});

/** Returns contents of the status line: bold and plain text, and labels of buttons. */
const contentsOf = (language) => {
  const { more, scripts } = languages[language];
  const values = valuesOf(scripts);
  const t = (key, special = {}) =>
    (more[key] ?? more[`${key}.other`] ?? scripts[key] ?? assert.fail(key)).replace(
      /\{(\w+)\}/g,
      (_, name) => special[name] ?? values[name] ?? assert.fail(`${key}: ${name}`),
    );
  const keys = (prefix) => [
    ...new Set(
      Object.keys(more)
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.replace(/\.(one|other)$/, "")),
    ),
  ];
  const initial = keys("prompt.").filter((key) =>
    /first|later|last$|alone|crawl$|crowds?$|place/.test(key),
  );
  const bolds = [
    "prompt.from",
    "prompt.caterpillarWar.tail",
    "prompt.caterpillarWar.line",
    "prompt.wieNietWegIs.up",
    "prompt.wieNietWegIs.down",
    "prompt.kopfOderKnopf.also",
  ];
  const boldOf = (key) =>
    ({
      "prompt.wieNietWegIs.upJump": "prompt.wieNietWegIs.up",
      "prompt.wieNietWegIs.downJump": "prompt.wieNietWegIs.down",
      "prompt.caterpillarWar.end": "prompt.caterpillarWar.line",
    })[key] ?? "prompt.from";
  const clear = t("hint.clear");
  return [
    ...initial.map((key) => [t("hint.yours"), t(key), [t("advice.ask")]]),
    ...initial.map((key) => [t("hint.yours"), `${t(key)} ${t("hint.startby")}`, []]),
    ...keys("event.").map((key) => [t("hint.yours"), t(key), [t("advice.ask")]]),
    [
      t("hint.yours"),
      `${t("event.kopfOderKnopf.strike")} ${t("event.kopfOderKnopf.penaltyYou")}`,
      [t("advice.ask")],
    ],
    ...keys("event.").map((key) => [t("hint.theirs"), t(key), []]),
    ...keys("prompt.")
      .filter((key) => !initial.includes(key) && !bolds.includes(key))
      .map((key) => [t(boldOf(key)), t(key), [clear]]),
    [t("prompt.caterpillarWar.line"), t("preview.captures"), [clear]],
    ...keys("preview.").map((key) => [t("hint.play"), t(key), [t("hint.confirm"), clear]]),
    [
      t("hint.play", { u: "xa9,b10-e10" }),
      `${t("preview.kopfOderKnopf.takes", { cells: "a9" })} ${t("preview.kopfOderKnopf.then", { pair: "f2–g2" })}`,
      [t("hint.confirm"), clear],
    ],
    [t("hint.leaveDouble"), t("preview.knightFight.wipes"), [t("hint.leave", { u: "h10" }), clear]],
    [
      t("prompt.caterpillarWar.stepOrCrawl"),
      t("preview.captures", { cells: "g5" }),
      [t("hint.leave", { u: "h5-g5" }), clear],
    ],
    [
      t("prompt.kopfOderKnopf.also"),
      t("preview.kopfOderKnopf.takes"),
      [t("hint.leave", { u: "xc7xf3" }), clear],
    ],
    ...keys("refusal.").flatMap((key) => [
      [t(key), "", [t("advice.ask")]],
      [t(key), "", [clear]],
      [t(key), "", [t("hint.no"), t("hint.agree")]],
    ]),
    ...["hint.movable", "hint.targets", "hint.spectator", "hint.lost", "error.over"].map((key) => [
      t(key),
      "",
      [],
    ]),
    [t("hint.left"), "", [t("hint.claimwin"), t("hint.claimdraw"), t("hint.wait")]],
    [t("hint.yours"), `${t("hint.left")} ${t("hint.claimin")}`, []],
    [t("hint.resign"), "", [t("hint.keep"), t("hint.doresign")]],
    [t("hint.stop"), "", [t("hint.keep"), t("hint.dostop")]],
    [t("hint.asksback"), "", [t("hint.no"), t("hint.agree")]],
    [t("hint.offered"), "", [t("hint.no"), t("hint.yes")]],
    [t("hint.askingback"), t("hint.waitdraw"), [t("hint.takeback")]],
    [t("hint.theirs"), t("hint.choosing"), [t("hint.leave", { u: "h10" }), t("hint.drop")]],
    [t("hint.ahead"), t("hint.aheadsent"), [t("hint.drop")]],
  ];
};

for (const [, locale] of languagesToFit) {
  const language = locale.slice(0, 2);
  test(`no text of the status line is cut in ${language}`, async () => {
    const user = await User.open(browser, server, { locale }, null);
    await user.post("/api/guest", {});
    const { id } = await user.post("/api/challenge/ai", {
      level: 1,
      variant: "caterpillarWar",
      color: "first",
    });
    await user.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell.is-selectable");
    const { page } = user;
    const cut = [];
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const found = await page.evaluate(async (contents) => {
        const { href } = document.querySelector('link[href$="common/status-line.js"]');
        const { StatusLine } = await import(href);
        const line = new StatusLine(() => {});
        document.querySelector(".game-status").replaceWith(line.element);
        return contents
          .filter(([bold, plain, labels]) => {
            line.show(
              bold,
              plain,
              labels.map((label) => [label, () => {}]),
            );
            // Does at once what `show` leaves to the next frame.
            line.fit();
            const text = line.element.querySelector("p");
            const box = line.element.getBoundingClientRect();
            const isOutside = (element) => {
              const { left, right, top, bottom } = element.getBoundingClientRect();
              return (
                left < box.left - 1 ||
                right > box.right + 1 ||
                top < box.top - 1 ||
                bottom > box.bottom + 1
              );
            };
            return (
              text.scrollHeight > text.clientHeight + 1 ||
              text.scrollWidth > text.clientWidth + 1 ||
              [...line.element.children].some(isOutside)
            );
          })
          .map((content) => JSON.stringify(content));
      }, contentsOf(language));
      cut.push(...found.map((text) => `${width} px: ${text}`));
    }
    assert.deepEqual(cut, []);
    assertNoErrors(server, [user]);
  });
}
