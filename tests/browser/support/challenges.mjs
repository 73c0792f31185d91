// Challenges posted with the lobby's form, and games that begin with them.
import assert from "node:assert/strict";
import { waitForGame } from "./game.mjs";

/** Console error of an expected refusal (status 4xx). */
export const REJECTED_REQUEST = /status of 4\d\d/;

/** Sends the challenge form of the lobby as it is filled in; returns the response. */
export const sendChallengeForm = async ({ page }) => {
  const response = page.waitForResponse(
    (sent) => sent.request().method() === "POST" && /\/api\/challenge/.test(sent.url()),
  );
  // A form that is being sent ignores its button.
  await page.click(".lobby form.challenge-form button[type=submit]:not(.is-busy)");
  return response;
};

/** Fills in and submits the challenge form; returns the id of the challenge. */
export const submitChallenge = async (
  user,
  { recipient = "list", name, games = ["knightFight"], times = ["5+3"], min, days, side },
) => {
  const { page } = user;
  await page.goto(user.server.url);
  await user.scrollToChallengeForm();
  const form = page.locator(".lobby form.challenge-form");
  await form.locator(`.segmented [data-value=${recipient}]`).click();
  if (name) await form.locator("[name=opponent]").fill(name);
  const pick = async (row, values) => {
    if (values.length > 1)
      await form.locator(`.choice-group:has(> ${row}) .choice-group-toggle`).click();
    await form.locator(`${row} [data-value="${values[0]}"]`).click();
    for (const value of values.slice(1))
      await form.locator(`${row} [data-value="${value}"]`).click();
    // Options selected by default are deselected unless wanted.
    for (const other of await form
      .locator(`${row} [aria-checked=true]`)
      .evaluateAll((buttons) => buttons.map(({ dataset }) => dataset.value)))
      if (!values.includes(other)) await form.locator(`${row} [data-value="${other}"]`).click();
  };
  await pick(".game-choice", games);
  await pick(".segmented.is-three-column", times);
  if (days) await form.locator("[name=days]").selectOption(String(days));
  if (side) await form.locator("summary").click();
  if (side) await form.locator(`.segmented [data-value=${side}]`).click();
  if (min) {
    await form.locator(".segmented [data-value=fixed]").click();
    await form.locator("input[aria-label='Lowest rating']").fill(String(min));
    await form.locator("input[aria-label='Highest rating']").fill("");
  }
  const posted = await sendChallengeForm(user);
  assert.ok(posted.ok(), `${posted.status()}`);
  if (!["link", "open"].includes(recipient)) return (await posted.json()).id;
  // The links are on the challenge's own page.
  await page.waitForSelector(".challenge-page .share-link");
  return new URL(page.url()).pathname.slice(1);
};

/** Returns the selector of a challenge in the lobby. */
export const cardSelector = (id) => `.challenge-card[data-id="${id}"]`;

/** Plays up to four plies, then the loser resigns. */
export const playAndResign = async (id, winner, loser) => {
  for (const user of [winner, loser, winner, loser])
    if (await user.legalMoves(id)) await user.play(id);
  await loser.resign(id);
};

/** Plays a rated game that the loser resigns; returns the loser's new rating, below 1400. */
export const lowerRating = async (winner, loser) => {
  const id = await submitChallenge(winner, { side: "first" });
  await loser.request(`/api/challenge/${id}/accept`, {});
  // Lobby pages redirect to the game; that must be over before the next step.
  await waitForGame(id, winner, loser);
  await playAndResign(id, winner, loser);
  const rating = await loser.rating("knightFight");
  assert.ok(rating < 1400, `${rating}`);
  return rating;
};
