// What hands do on a board, and what is counted meanwhile.

// Motion is what is looked at where there are hands.
process.env.MOTION = "no-preference";

/** Counts in the page what sounds, and what is sent to the game. */
export const counters = () => {
  window.sent = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function note(text) {
    window.sent.push(text);
    return send.call(this, text);
  };
  // Each tone by its form and the pitch at which it begins.
  window.tones = [];
  const { setValueAtTime } = AudioParam.prototype;
  AudioParam.prototype.setValueAtTime = function keep(value, at) {
    this.begins ??= value;
    return setValueAtTime.call(this, value, at);
  };
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function note(...at) {
    if (this instanceof OscillatorNode)
      window.tones.push(`${this.type} ${Math.round(this.frequency.begins)}`);
    return start.apply(this, at);
  };
};

/** How many cells are chosen. */
export const chosen = (person) => person.page.locator(".marks .sel").count();

/** The piece of a cell: it is where it stands, and nothing hides it. */
export const stands = (person, cell) =>
  person.page.waitForFunction((name) => {
    const board = document.querySelector(".bd.live");
    const { x, y, width, height } = document
      .querySelector(`[data-cell="${name}"]`)
      .getBoundingClientRect();
    return (
      board.getAnimations({ subtree: true }).length === 0 &&
      [...board.querySelectorAll(".pieces > g > g")].some((piece) => {
        const box = piece.getBoundingClientRect();
        return (
          Math.abs(box.x + box.width / 2 - x - width / 2) < width / 4 &&
          Math.abs(box.y + box.height / 2 - y - height / 2) < height / 2
        );
      })
    );
  }, cell);
