// Setting of the inbox, outside the settings that the first page loads.
import { setting } from "../lib/settings.js";

/** Cards over the page with news. Without them, only the number on the bell changes. */
export const cardSetting = setting("newsCards", true);
