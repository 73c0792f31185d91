// Push messages of this browser: whether they are possible, and the subscription, which the server
// keeps until the session ends. Used by the page of settings and by push-question.js.
import { accountWithRetry, get, post } from "../lib/http.js";
import { language } from "../lib/i18n.js";

/**
 * Reason why push messages cannot be switched on here: the browser has none, iOS has them in the
 * installed app only, or the user has blocked them.
 * @typedef {"unsupported" | "install" | "blocked"} PushObstacle
 */

/**
 * State of push messages, and what the server knows of them. `disabled`: the operator has switched
 * them off.
 * @typedef {{ state: PushObstacle }
 *   | { state: "disabled" | "off" | "on", server: PushOut }} PushStatus
 */

/** Browsers of iPhone and iPad. The user agent of an iPad is that of a Mac. */
const isAppleTouch = () =>
  /iP(hone|ad|od)/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);

const hasPush = () =>
  isSecureContext &&
  "serviceWorker" in navigator &&
  "PushManager" in window &&
  "Notification" in window;

/**
 * Returns why this browser cannot show push messages, null if it can.
 * @returns {PushObstacle | null}
 */
export const pushObstacle = () => {
  if (!hasPush()) return isAppleTouch() ? "install" : "unsupported";
  return Notification.permission === "denied" ? "blocked" : null;
};

const currentSubscription = async () =>
  (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();

/**
 * Loads the state of this browser.
 * @returns {Promise<PushStatus>}
 */
export const loadPush = async () => {
  const obstacle = pushObstacle();
  if (obstacle) return { state: obstacle };
  await accountWithRetry();
  const server = await get("/api/push");
  if (!server.enabled) return { state: "disabled", server };
  const endpoint = (await currentSubscription())?.endpoint;
  // Another session may have made the subscription of this browser.
  const isOn = endpoint !== undefined && server.endpoints.includes(endpoint);
  return { state: isOn ? "on" : "off", server };
};

/**
 * Subscribes at the push service of the browser.
 * @param {PushManager} manager
 * @param {string} applicationServerKey
 */
const subscribeBrowser = async (manager, applicationServerKey) => {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await manager.subscribe(options);
  } catch (refused) {
    // A subscription for another key, of a database that was replaced, must end first.
    const old = await manager.getSubscription();
    if (!old) throw refused;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
};

/**
 * Switches push messages on, after the permission of the user. To be called in the handler of a
 * click, before any wait: browsers ask for the permission only then.
 * @param {string} publicKey of the server
 */
export const subscribePush = async (publicKey) => {
  if ((await Notification.requestPermission()) !== "granted") return;
  await navigator.serviceWorker.register("/sw.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const { endpoint, keys } = (await subscribeBrowser(pushManager, publicKey)).toJSON();
  await post("/api/push/subscribe", { endpoint, ...keys, language });
};

/** Switches push messages off in this browser. */
export const unsubscribePush = async () => {
  const subscription = await currentSubscription();
  if (!subscription) return;
  await post("/api/push/unsubscribe", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
};
