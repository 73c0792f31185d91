// Further states of pages for screenshots: pages without entries, and games of each variant in play
// and at their ends. The form of a state is that of pages.mjs.

const VARIANTS = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];
const BOARD = ".board-svg.is-interactive rect.board-cell";

/** Number of plies of the games in play. */
const PLIES = 8;

/** Returns the states of a site without challenges and games, in order. */
export const emptyStates = ({ ada, guest }) => [
  [
    "home, a classic is replayed",
    guest,
    "/",
    ".live-games-quiet",
    {
      act: async (page) => {
        await page.locator(".live-games").scrollIntoViewIfNeeded();
        await page.waitForSelector(".classic");
      },
    },
  ],
  ["home of an account without games", ada, "/", ".no-games"],
  ["the lobby, empty", guest, "/lobby", ".challenge-list-empty"],
  ["watch, nobody plays", guest, "/live", ".watch-empty"],
  ["players, nobody is rated", guest, "/players", ".users-empty"],
  [
    "the inbox, empty",
    ada,
    "/rules",
    ".rules-index",
    {
      act: async (page) => {
        await page.locator(".inbox-button").press("Enter");
        await page.waitForSelector("dialog[open] .inbox");
      },
    },
  ],
  ["a player without games", ada, "/@/Bram", "main h1"],
  [
    "logging in, wrong password",
    guest,
    "/login#login",
    "form",
    {
      act: async (page) => {
        await page.locator("[name=username]").first().fill("Ada");
        await page.locator("[name=password]").first().fill("wrong-horse");
        await page.locator("form [type=submit]").first().press("Enter");
        await page.waitForSelector("[role=alert]:not(:empty), .field-error:not(:empty)", {
          state: "attached",
        });
      },
    },
  ],
];

/** Plays the first plies of a game, whose start may be random; returns its id. */
const playPlies = async ({ ada, bram }, variant) => {
  const id = await ada.startGame(bram, variant, { days: 3, rated: true });
  for (let ply = 0; ply < PLIES; ply += 1) await [ada, bram][ply % 2].play(id);
  return id;
};

/** Returns the states of the games of each variant, in order. */
export const gameStates = (site) =>
  VARIANTS.flatMap((variant) => {
    const { ada, bram } = site;
    const ids = {};
    const path = (name) => () => `/${ids[name]}`;
    const prepare = async () => {
      for (const name of ["playing", "resigned", "drawn"])
        ids[name] = await playPlies(site, variant);
      await bram.resign(ids.resigned);
      for (const user of [ada, bram]) await user.post(`/api/board/game/${ids.drawn}/draw/yes`, {});
    };
    return [
      [`${variant}, my move`, ada, path("playing"), BOARD, { before: prepare }],
      [`${variant}, their move`, bram, path("playing"), BOARD],
      [`${variant}, won`, ada, path("resigned"), ".game-result"],
      [`${variant}, lost`, bram, path("resigned"), ".game-result"],
      [`${variant}, drawn`, ada, path("drawn"), ".game-result"],
    ];
  });
