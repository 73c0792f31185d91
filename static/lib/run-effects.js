// Execution of the effects of a transition. Used by pages whose state changes by transitions only.

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
