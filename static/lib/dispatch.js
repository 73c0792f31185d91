// Dispatch of a message to the handler of its type. The types `Transitions` and `Handlers` demand a
// handler for each type of the messages of a socket. Used by the pure `state.js` of the pages and
// by the modules that receive messages without one.

/**
 * Returns a function that handles a message with the handler of its type, or with `fallback` if the
 * type is unknown, as that of a newer server is.
 * @template {Record<string, (receiver: any, data: any, message: any) => any>} H
 * @param {H} handlers
 * @param {(receiver: Receiver<H>, data: unknown, message: any) => ReturnType<H[keyof H]>} fallback
 * @returns {(receiver: Receiver<H>, message: MessageOf<H>) => ReturnType<H[keyof H]>}
 */
export const dispatch = (handlers, fallback) => (receiver, message) => {
  const handler = Object.hasOwn(handlers, message.t) ? handlers[message.t] : fallback;
  return handler(receiver, message.d, message);
};
