// Timer for hidden pages: browsers throttle their timers to one call per minute, and the server
// would close the silent connection. Timers of workers are not throttled.
const BEAT_MS = 500;
setInterval(() => postMessage(0), BEAT_MS);
