import { RoborevError } from "../../lib/errors.ts";

/** The answer to a number that no job has. */
export const unknownJob = (id: number): RoborevError =>
  new RoborevError(`there is no job ${id}`, { code: "E_NOT_FOUND", hint: "roborev list shows the numbers." });
