// Current state of the game on its page, and the way of a message: `apply` returns the next state
// and its effects, `render` shows the state, the effect runner executes the effects. Created by
// `page.js`, which passes each message of the socket. `rematch.js` passes the transitions by the
// player's answers and by responses to its requests. Nothing else replaces the state.
import { EffectRunner } from "./effect-runner.js";
import { render, renderPrompt } from "./render.js";
import { apply, initialState, resyncEffects } from "./state.js";

/** State of the game of a page. */
export class GameSession {
  /** @type {import("./state.js").GameState} */ #state;
  /** @type {import("./page.js").GamePage} */ #page;
  /** @type {EffectRunner} */ #effectRunner;

  /**
   * @param {import("./page.js").GamePage} page
   * @param {Game} game
   */
  constructor(page, game) {
    this.#page = page;
    this.#state = initialState(game);
    this.#effectRunner = new EffectRunner(page);
  }

  /** Game as the server described it last. */
  get game() {
    return this.#state.game;
  }

  /** Returns whether the page has shown the result of the game. */
  get hasShownResult() {
    return this.#effectRunner.hasShownResult;
  }

  /** Shows the first state, once the page has created its components. */
  start() {
    this.#page.socket.resumeFrom(this.game.v);
    this.#show(null, resyncEffects(this.#state));
  }

  /**
   * Handles a message of the socket. Buttons that appear meanwhile are disabled for a moment, as
   * the player did not cause them.
   * @param {Frame<import("./state.js").GameSocketMessage>} message
   */
  receive(message) {
    this.#page.statusLine.runRemote(() => this.change((state) => apply(state, message)));
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {(state: import("./state.js").GameState) => import("./state.js").Transition} transition
   */
  change(transition) {
    const previous = this.#state;
    const { state, effects } = transition(previous);
    this.#state = state;
    this.#show(previous, effects);
  }

  /**
   * Shows the state and executes the effects of its message.
   * @param {import("./state.js").GameState | null} previous state shown before, null for none
   * @param {import("./state.js").Effect[]} effects
   */
  #show(previous, effects) {
    const [page, state] = [this.#page, this.#state];
    page.prompt.updateOnce(() => {
      render(page, state, previous);
      this.#effectRunner.run(effects);
      renderPrompt(page, state, previous);
    });
  }
}
