// Notices of guests who ask for a casual game in place of a rated challenge by link, for its
// creator on any other page. Each guest has a notice of their own, so that the creator can dismiss
// one. The inbox loads this module with the first challenge that has such a request, and then
// passes every change and the end of such challenges in order.
import { post } from "../lib/http.js";
import { toast } from "../lib/dom.js";
import { refusalText } from "./challenge-text.js";
import { removedChallenges } from "../lib/settings.js";
import { userHandle } from "./user-link.js";

/**
 * Returns the key of the notice of a guest.
 * @param {string} challenge
 * @param {Player} guest
 */
const noticeKey = (challenge, guest) => `${challenge}/${guest.id}`;

/**
 * Shows the requests that await an answer, and removes the notices of the others. `challenge` has
 * no requests after its end.
 * @param {import("./inbox.js").Inbox} inbox
 * @param {Pick<Challenge, "id"> & Partial<Challenge>} challenge
 */
export const showCasualRequests = (inbox, challenge) => {
  const { id, status, casualRequests } = challenge;
  const isShown = status === "created" && location.pathname !== `/${id}`;
  const requests = (isShown && casualRequests) || [];
  const keys = requests.map(({ by }) => noticeKey(id, by));
  for (const [key, { kind, challenge: asked }] of inbox.news)
    if (kind === "casual" && asked.id === id && !keys.includes(key)) inbox.remove(key);
  for (const request of requests) {
    const key = noticeKey(id, request.by);
    const known = inbox.news.get(key);
    if (known || removedChallenges.get().includes(key)) continue;
    // The socket announces the remaining requests, or the game that begins.
    const answer = (/** @type {"yes" | "no"} */ text) =>
      post(`/api/challenge/${id}/casual/${userHandle(request.by)}`, { answer: text }).catch(
        (refused) => {
          toast(refusalText(refused, /** @type {Challenge} */ (challenge)));
          inbox.remove(key);
        },
      );
    inbox.add(key, {
      kind: "casual",
      challenge: /** @type {Challenge} */ (challenge),
      by: request.by,
      bound: request,
      answer,
    });
  }
};
