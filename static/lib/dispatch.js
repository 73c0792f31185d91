// Dispatch of messages and effects to the handlers of their types. The types `Transitions` and
// `Handlers` demand a handler for each type of the messages of a socket, `EffectHandlers` for each
// type of effects. Used by the pure `state.js` of the pages, by the pages, and by the modules that
// receive messages without a state.

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

/**
 * Handlers of effects by type: each type has one.
 * @template {{ type: string }} E
 * @typedef {{ [T in E["type"]]: (effect: Extract<E, { type: T }>) => unknown }} EffectHandlers
 */

/**
 * Executes effects in order.
 * @template {{ type: string }} E
 * @param {readonly E[]} effects
 * @param {EffectHandlers<E>} handlers
 */
export const runEffects = (effects, handlers) => {
  for (const effect of effects) {
    const handler = handlers[/** @type {E["type"]} */ (effect.type)];
    /** @type {(effect: E) => unknown} */ (handler)(effect);
  }
};
