import { singleLine } from "../../lib/text.ts";
import type { Model } from "../model.ts";

const flashMs = 4000;
const errorFlashMs = 8000;

/** Told for a while, in the place of the state of things; what the daemon says may name branches and paths. */
export function flash(model: Model, text: string, isError: boolean): Model {
  const untilMs = model.nowMs + (isError ? errorFlashMs : flashMs);
  return { ...model, flash: { text: singleLine(text), untilMs, isError } };
}

export function withoutOldFlash(model: Model): Model {
  if (model.flash === undefined || model.flash.untilMs > model.nowMs) return model;
  const { flash: _, ...rest } = model;
  return rest;
}
