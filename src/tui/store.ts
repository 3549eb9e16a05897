import type { Effect, Message, Next } from "./message.ts";
import type { Model } from "./model.ts";

/** The one place that holds the model: messages go in, those who watch are told. */
export interface ModelStore {
  current(): Model;
  dispatch(message: Message): void;
  subscribe(listener: () => void): () => void;
}

/** Every effect of every message is performed, those of the beginning once somebody `start`s it. */
export function createModelStore(
  [first, firstEffects]: Next,
  update: (model: Model, message: Message) => Next,
): ModelStore & { start(perform: (effect: Effect) => void): void } {
  let model = first;
  let perform: ((effect: Effect) => void) | undefined;
  const listeners = new Set<() => void>();
  return {
    current: () => model,
    dispatch(message) {
      const [next, effects] = update(model, message);
      const isSame = next === model;
      model = next;
      if (!isSame) for (const listener of listeners) listener();
      for (const effect of effects) perform?.(effect);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start(performer) {
      perform = performer;
      for (const effect of firstEffects) performer(effect);
    },
  };
}
