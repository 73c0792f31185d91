// Expected state of the page of a challenge after each message of `/ws/lobby` and each response.
// Independent of `static/challenge/state.js`: it keeps one mutable record and knows no effects but
// their types.

/** Record of a challenge that follows the messages. */
export class ChallengeOracle {
  /**
   * @param {object} challenge
   * @param {string} viewerId
   */
  constructor(challenge, viewerId) {
    const isOwn = challenge.ineligibleReason === "own" || challenge.challenger?.id === viewerId;
    Object.assign(this, { challenge, isOwn, readyBy: null, by: null, isStarted: false });
  }

  /** Follows a message or a response, and returns the types of the effects that it must have. */
  follow({ t: type, request, d }) {
    const id = d.challenge?.id ?? d.id;
    if (type === "start") return this.onStart(d);
    if (type === "full") return ["reload"];
    if (["game", "gameGone"].includes(type)) return [];
    if (type === "presence") return this.onPresence(d);
    const handler = `on_${type ?? request}`;
    if (this[handler] && id === this.challenge.id) return this[handler](structuredClone(d));
    return type === "challenge" && d.direction !== "in" ? [] : ["forward"];
  }

  onPresence({ here, away }) {
    if (here.includes(this.challenge.id))
      this.challenge = { ...this.challenge, creatorPresent: true };
    if (away.includes(this.challenge.id))
      this.challenge = { ...this.challenge, creatorPresent: false };
    return [];
  }

  /** Returns the effect of the end of a challenge that was open. */
  replace(challenge) {
    const wasOpen = this.challenge.status === "created";
    this.challenge = challenge;
    return wasOpen && challenge.status !== "created" ? ["closed"] : [];
  }

  start() {
    const isNew = !this.isStarted;
    this.isStarted = true;
    return isNew ? ["gameStarted"] : [];
  }

  onStart({ id, challenge }) {
    const concerns = id === this.challenge.id || challenge === this.challenge.id;
    return concerns && !(this.isOwn && this.challenge.standing) ? this.start() : ["forward"];
  }

  on_show(challenge) {
    return challenge.status === "accepted" ? this.start() : this.replace(challenge);
  }

  on_challenge(challenge) {
    return this.replace(challenge);
  }

  on_challengeGone({ status, reasonKey }) {
    if (status === "accepted" && !this.challenge.standing) return this.start();
    return this.replace({ ...this.challenge, status, declineReasonKey: reasonKey });
  }

  /** Request of the viewer that cancels the challenge. */
  on_cancel() {
    return this.replace({ ...this.challenge, status: "canceled", declineReasonKey: undefined });
  }

  on_accept({ ready, readyBy, waiting }) {
    if (ready !== false) return waiting ? [] : this.start();
    this.readyBy = readyBy;
    return ["readyCheckBegun"];
  }

  /** Answer of the viewer to a ready check. */
  on_ready({ answer }) {
    return answer === "yes" ? this.start() : this.endCheck();
  }

  endCheck() {
    Object.assign(this, { readyBy: null, by: null });
    this.challenge = { ...this.challenge, readyBy: null };
    return [];
  }

  on_ring({ by, readyBy }) {
    this.by = by;
    return this.replace({ ...this.challenge, readyBy });
  }

  on_ringGone({ reason }) {
    const isFailure = this.readyBy !== null && reason !== "ready";
    this.endCheck();
    return isFailure ? ["readyCheckFailed"] : [];
  }

  on_seatLost(challenge) {
    return [...this.replace(challenge), "seatLost"];
  }
}
