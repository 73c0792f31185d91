// Guidance of Wie niet weg is: placing the opponent's stones, then getting the own ones off.
import { pieceSetOf } from "../variants/index.js";
import { sideName, t } from "../lib/i18n.js";

/** Text before the number of removed stones, in the move list. */
const REMOVED = "⊖";

/**
 * Parses the extras: stones in hand and stones off the board, by side.
 * @param {string} extras
 */
const parseCounts = (extras) => extras.split(" ").map((pair) => pair.split(":").map(Number));

/** @param {Side} side */
const indexOf = (side) => (side === "first" ? 0 : 1);

/**
 * Returns whether stones are left to place.
 * @type {NonNullable<Guidance["isPlacing"]>}
 */
const isPlacing = ({ extras }) => parseCounts(extras)[0].some(Boolean);

/** @type {Guidance} */
export const wieNietWegIs = {
  isPlacing,
  prompt: ({ clicks, tokens, cells, side, extras }) => {
    if (isPlacing({ cells, extras, side })) {
      // Each side places the stones of the other one.
      const n = parseCounts(extras)[0][1 - indexOf(side)];
      return [
        "",
        side === "first"
          ? t("prompt.wieNietWegIs.placeRed", { n })
          : t("prompt.wieNietWegIs.placeWhite", { n }),
      ];
    }
    const [cell] = clicks.chosen;
    if (!cell) return ["", t("prompt.wieNietWegIs.first")];
    const token = tokens.get(cell);
    return token === token.toUpperCase()
      ? [t("prompt.wieNietWegIs.up"), t("prompt.wieNietWegIs.upJump")]
      : [t("prompt.wieNietWegIs.down"), t("prompt.wieNietWegIs.downJump")];
  },
  preview: ({ side, extras }, { removed = [] }) =>
    removed.length
      ? t("preview.wieNietWegIs.off", {
          n: removed.length,
          total: parseCounts(extras)[1][indexOf(side)] + removed.length,
        })
      : "",
  report: ({ trace: { paths, removed = [] }, before, now, extras, by, sides }) => {
    const side = sideName({ sides }, by);
    if (removed.length)
      return t("event.wieNietWegIs.off", {
        side,
        n: removed.length,
        total: parseCounts(extras)[1][indexOf(by)],
      });
    const [path] = paths;
    const end = path?.length > 1 ? /** @type {string} */ (path.at(-1)) : null;
    const { isTurnedOver } = pieceSetOf("wieNietWegIs");
    return end && isTurnedOver?.(before.get(path[0]), now.get(end))
      ? t("event.wieNietWegIs.turned", { side, cell: end })
      : "";
  },
  listText: (u, { trace }) =>
    trace?.removed?.length ? `${u} ${REMOVED}${trace.removed.length}` : u,
};
