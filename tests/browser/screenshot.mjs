// Makes the README's screenshot, docs/screenshot.png: a game on a desktop and on a phone. Needs the
// path of the server's binary in SPRONG_BINARY.
import { join } from "node:path";
import { launchBrowser, Server } from "./support/server.mjs";
import { Player } from "./support/player.mjs";

const FILE = join(import.meta.dirname, "../../docs/screenshot.png");
const PLIES = 14;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
const GAP = 24;

/** Opens the game in a window of that size, as the player, and returns its image. */
const captureGame = async (browser, server, player, id, viewport) => {
  const context = await browser.newContext({ viewport, colorScheme: "light", locale: "en-US" });
  const [name, value] = player.cookie.split("=");
  await context.addCookies([{ name, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/${id}`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await page.evaluate(() => document.fonts.ready);
  const image = await page.screenshot({ animations: "disabled" });
  await context.close();
  return `data:image/png;base64,${image.toString("base64")}`;
};

const server = await Server.start();
const browser = await launchBrowser();
try {
  const [ann, ben] = [await Player.create(server, "Anna"), await Player.create(server, "Bram")];
  const id = await ann.startGame(ben, "caterpillarWar", { rated: true, days: 3 });
  for (let ply = 0; ply < PLIES; ply += 1) await (ply % 2 ? ben : ann).play(id);
  const images = [];
  for (const viewport of [DESKTOP, PHONE])
    images.push(await captureGame(browser, server, ann, id, viewport));
  const page = await browser.newPage({
    viewport: { width: DESKTOP.width + PHONE.width + 3 * GAP, height: DESKTOP.height + 2 * GAP },
  });
  await page.setContent(
    `<body style="margin:0;display:flex;gap:${GAP}px;padding:${GAP}px;background:#d9d4c8">
      ${images.map((source) => `<img src="${source}" style="border-radius:8px">`).join("")}
    </body>`,
  );
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.screenshot({ path: FILE });
} finally {
  await browser.close();
  await server.stop();
}
