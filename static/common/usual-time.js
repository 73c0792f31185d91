// Time of the day at which people usually begin games with each other, in the time zone of the
// viewer. Used by the page that looks for an opponent and by the list of players online.
import { get } from "../lib/http.js";
import { locale } from "../lib/format-time.js";

/** Minimum number of games for showing a usual time. */
const GAMES_MIN = 10;

/**
 * Returns the full hour in UTC around which most games begin: within an hour before and after it.
 * Null if too few games are known.
 * @param {{ games: number, hours: number[] }} counts games by hour of the day in UTC
 */
export const usualHour = ({ games, hours }) => {
  if (games < GAMES_MIN) return null;
  const around = hours.map((count, hour) => count + hours[(hour + 23) % 24]);
  return around.indexOf(Math.max(...around));
};

/**
 * Fetches the usual time, such as "20:00"; null if it is unknown.
 * @returns {Promise<string | null>}
 */
export const fetchUsualTime = async () => {
  const counts = await get("/api/games/hours").catch(() => null);
  const hour = counts && usualHour(counts);
  if (hour === null) return null;
  const format = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  return format.format(new Date().setUTCHours(hour, 0, 0, 0));
};
