// A beat that goes on while the page lies behind others: timers of a hidden page are slowed down to
// one a minute, and whoever says nothing for so long counts as gone.
const BEAT_MS = 500;
setInterval(() => postMessage(0), BEAT_MS);
