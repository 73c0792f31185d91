// WebSocket of a game. It drops repeated events and reconnects after a gap; the server then sends
// the full state. Commands that the server could not store are sent again. Called by
// `page-parts.js`.
import { Socket } from "../lib/socket.js";

/** Delay after which a command that could not be stored is sent again. */
const RESEND_MS = 1000;

/** Reason of a refusal: the server could not store the command, and may be able to soon. */
const NOT_STORED = "notStored";

/**
 * Socket of a game. Its state is also `unsaved`, while the server cannot store a command.
 * @extends {Socket<`/ws/game/${string}`>}
 */
export class GameSocket extends Socket {
  /** @type {number | undefined} */ v;
  /** @type {boolean | undefined} */ hasFullState;
  /** @type {number | undefined} */ resendAt;
  /** @type {boolean | undefined} */ isUnsaved;

  /** Connects, from the last known event on. */
  open() {
    this.hasFullState = false;
    super.open();
  }

  query() {
    return this.v === undefined ? "" : `?v=${this.v}`;
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
    if (this.resendAt !== undefined && Date.now() >= this.resendAt) this.resend();
  }

  resend() {
    this.resendAt = undefined;
    if (this.ws.readyState === WebSocket.OPEN) super.resend();
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
      this.onState("open");
    }
  }

  /**
   * Keeps a command that the server could not store, to send it again. Returns whether it does.
   * @param {Refusal} refusal
   */
  keepsUnsaved({ cid, reason }) {
    if (reason !== NOT_STORED || !cid || !this.unacknowledged.has(cid)) return false;
    this.resendAt ??= Date.now() + RESEND_MS;
    this.isUnsaved = true;
    this.onState("unsaved");
    return true;
  }
}
