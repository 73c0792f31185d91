// What the clock of the server shows, as far as pings tell.

export class ServerTime {
  drift = 0;
  trip = Infinity;
  epoch = 0;
  /** @type {number | undefined} */ last;

  /** Another way begins: the first guess there is as good as any. */
  begin() {
    this.trip = Infinity;
  }

  /** What a ping tells: what the last way there and back took lets the server make good what the line has cost. */
  ping() {
    const c = performance.now();
    this.epoch = Date.now() - c;
    return this.last === undefined ? { c } : { c, lag: Math.round(this.last) };
  }

  /** Half of the way there and back is the best guess of when the server looked at its clock. */
  pong({ c, at }) {
    const trip = performance.now() - c;
    // An answer that lay about while the machine slept tells of a time long ago.
    if (Math.abs(Date.now() - performance.now() - this.epoch) > 1000) return;
    this.last = trip;
    // A slow answer guesses worse than the quick one before it.
    if (trip <= 2 * this.trip) this.drift = at + trip / 2 - Date.now();
    this.trip = Math.min(trip, 1.2 * this.trip + 1);
  }

  now() {
    return Date.now() + this.drift;
  }
}
