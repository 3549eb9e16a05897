import { basename, join } from "node:path";
import type { Harness } from "../harness/harness.ts";
import { configDirectory } from "../lib/config-directory.ts";
import { settle } from "./apply.ts";
import { givenPath } from "./detect.ts";
import type { SelectionOptions } from "./options.ts";
import { holdsOthers } from "./plan.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { requireUserScope } from "./user-scope.ts";

/** One file that a harness may read its hooks from. */
export interface Place {
  path: string;
  shape: Shape;
}

/** Every file that the harness may read: the one of `--config`, else its own, before those that it reads instead. */
export function placesOf(harness: Harness, { config, env, cwd }: SelectionOptions): [Place, ...Place[]] {
  const { file, alternatives = [] } = harness.config;
  const given = givenPath(config, env, cwd);
  if (given !== undefined) {
    const like = alternatives.find((alternative) => basename(alternative.file) === basename(given));
    const bare = like && basename(given) !== basename(file) ? (like.bareEventMap ?? false) : undefined;
    return [{ path: given, shape: shapeOf(harness, bare) }];
  }
  const directory = configDirectory(harness, env, cwd);
  const others = alternatives.map(({ file: path, bareEventMap = false }) => ({
    path: join(directory, path),
    shape: shapeOf(harness, bareEventMap),
  }));
  return [{ path: join(directory, file), shape: shapeOf(harness) }, ...others];
}

/**
 * The file to register in. Where the harness reads only the first file with hooks in it, that is the one whose hooks
 * are in force, so that an install never switches off the hooks of others.
 */
export async function choosePlace(harness: Harness, options: SelectionOptions): Promise<Place> {
  const places = placesOf(harness, options);
  for (const { path } of places) requireUserScope(harness, path, options);
  if (places.length === 1) return places[0];
  for (const place of places) {
    const { result } = await settle(place.path, (before) => holdsOthers({ harness, before, ...place }));
    if (result) return place;
  }
  return places[0];
}
