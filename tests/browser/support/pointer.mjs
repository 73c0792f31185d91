// Helpers for tests of drag and touch input: counters of sounds and messages, and piece positions.

// These tests check animations.
process.env.MOTION = "no-preference";

/** Records in the page the tones played and the messages sent to the game. */
export const recordTonesAndMessages = () => {
  window.sent = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function recordMessage(text) {
    window.sent.push(text);
    return send.call(this, text);
  };
  // Tones are recorded by waveform and initial frequency.
  window.tones = [];
  const { setValueAtTime } = AudioParam.prototype;
  AudioParam.prototype.setValueAtTime = function recordFrequency(value, time) {
    this.initialFrequency ??= value;
    return setValueAtTime.call(this, value, time);
  };
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function recordTone(...times) {
    if (this instanceof OscillatorNode)
      window.tones.push(`${this.type} ${Math.round(this.frequency.initialFrequency)}`);
    return start.apply(this, times);
  };
};

/** Returns the number of selected cells. */
export const selectionCount = (user) =>
  user.page.locator(".board-layer-marks .board-selection").count();

/** Waits until a piece rests on the given cell and no animation runs. */
export const waitForPieceAt = (user, cell) =>
  user.page.waitForFunction((name) => {
    const board = document.querySelector(".board-svg.is-interactive");
    const { x, y, width, height } = document
      .querySelector(`[data-cell="${name}"]`)
      .getBoundingClientRect();
    return (
      board.getAnimations({ subtree: true }).length === 0 &&
      [...board.querySelectorAll(".board-layer-pieces > g > g")].some((piece) => {
        const box = piece.getBoundingClientRect();
        return (
          Math.abs(box.x + box.width / 2 - x - width / 2) < width / 4 &&
          Math.abs(box.y + box.height / 2 - y - height / 2) < height / 2
        );
      })
    );
  }, cell);
