// WebSocket of a game. It drops repeated events and reconnects after a gap; the server then sends
// the full state. Commands that the server could not store are sent again. Called by
// `page-parts.js`.
import { Socket } from "../lib/socket.js";

/** Delays after which a command that could not be stored is sent again. */
const RESEND_FIRST_MS = 1000;
const RESEND_MAX_MS = 10000;

/** Reason of a refusal: the server could not store the command, and may be able to soon. */
const NOT_STORED = "notStored";

/** Commands that the player sends again, as they are limited or not recognized when repeated. */
const NOT_RESENT = ["talk", "rematch"];

/**
 * Socket of a game. Its state is also `unsaved`, while the server cannot store a command.
 * @extends {Socket<`/ws/game/${string}`>}
 */
export class GameSocket extends Socket {
  /** @type {number | undefined} */ v;
  /** @type {boolean | undefined} */ hasFullState;
  /** @type {number | undefined} */ resendAt;
  resends = 0;
  /** Refused commands that wait to be sent again. @type {Set<string>} */ unsaved = new Set();
  /** @type {boolean | undefined} */ isUnsaved;

  /** Connects, from the last known event on. */
  open() {
    this.hasFullState = false;
    this.resendAt = undefined;
    super.open();
  }

  query() {
    return this.v === undefined ? "?frames=short" : `?frames=short&v=${this.v}`;
  }

  /**
   * Sets the last known event, for a state that was not received on this socket.
   * @param {number} v
   */
  resumeFrom(v) {
    this.v = v;
  }

  tick() {
    super.tick();
    if (this.resendAt !== undefined && Date.now() >= this.resendAt) this.resendUnsaved();
  }

  resendUnsaved() {
    this.resendAt = undefined;
    if (this.ws.readyState !== WebSocket.OPEN) return;
    const cids = [...this.unsaved];
    this.unsaved.clear();
    for (const cid of cids) {
      // A reconnection may have sent it meanwhile.
      const frame = this.unacknowledged.get(cid);
      if (frame) this.ws.send(frame);
    }
  }

  /**
   * Processes a message: drops duplicates, detects gaps, forwards the rest.
   * @param {SocketFrame} message
   */
  receive(message) {
    const { t: type, v, d: data } = message;
    if (type === "refused" && this.keepsUnsaved(data)) return;
    if (v !== undefined && type !== "full") {
      if (this.v !== undefined && v <= this.v) return;
      if (this.v === undefined || v > this.v + 1) {
        this.v = undefined;
        this.reconnect();
        return;
      }
    }
    // A full state from before the reconnection, or a repeated one, may be outdated.
    if (
      type === "full" &&
      this.hasFullState &&
      this.v !== undefined &&
      /** @type {number} */ (v) < this.v
    )
      return;
    if (v !== undefined) Object.assign(this, { v, hasFullState: true });
    super.receive(message);
    if (this.isUnsaved && this.unacknowledged.size === 0) {
      this.isUnsaved = false;
      this.resends = 0;
      this.onState("open");
    }
  }

  /**
   * Keeps a command that the server could not store, to send it again. Returns whether it does.
   * @param {Refusal} refusal
   */
  keepsUnsaved({ cid, reason }) {
    const frame = cid && this.unacknowledged.get(cid);
    if (reason !== NOT_STORED || !frame || NOT_RESENT.includes(JSON.parse(frame).t)) return false;
    this.unsaved.add(cid);
    if (this.resendAt === undefined) {
      const longest = Math.min(RESEND_MAX_MS, RESEND_FIRST_MS * 2 ** this.resends++);
      this.resendAt = Date.now() + longest * (0.5 + Math.random() / 2);
    }
    this.isUnsaved = true;
    this.onState("unsaved");
    return true;
  }
}
