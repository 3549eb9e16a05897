import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Checkout, findCheckout, isInRepository } from "../git/checkout.ts";
import { RoborevError } from "../lib/errors.ts";
import { singleLine } from "../lib/text.ts";
import type { World } from "./command.ts";

/** The directory a command works in: `--repo`, else the current one. */
export function workingDirectory(world: World, repo: string | undefined): string {
  return repo === undefined ? world.cwd() : resolve(world.cwd(), repo);
}

/**
 * The checkout around a directory; rejects with what to do about it where there is none. `retry` turns the name of a
 * repository right below, as it is, into a command line that works.
 */
export async function requireCheckout(
  directory: string,
  retry: (child: string) => string,
): Promise<Checkout> {
  const checkout = await findCheckout(directory);
  if (checkout) return checkout;
  if (!existsSync(directory)) {
    throw new RoborevError(`there is no directory ${singleLine(directory)}`, { code: "E_NOT_A_REPO" });
  }
  if (await isInRepository(directory)) {
    throw new RoborevError(`${singleLine(directory)} is in a git repository, but in no working tree of it`, {
      code: "E_NOT_A_REPO",
      hint: "Change into a working tree and try again.",
    });
  }
  const children = await childRepositories(directory);
  throw new RoborevError(`${singleLine(directory)} is not inside a git repository`, {
    code: "E_NOT_A_REPO",
    hint:
      children.length === 0 ? "Change into one and try again." : `Try: ${children.map(retry).join(" or ")}`,
  });
}

/** Top of the working tree that a command is called in, for commands that work anywhere. */
export async function worktreeAround(world: World): Promise<string | undefined> {
  try {
    return (await findCheckout(world.cwd()))?.worktreeRoot;
  } catch (error) {
    if (error instanceof RoborevError) return undefined; // no git, a directory that is gone: nothing depends on it
    throw error;
  }
}

const maxSuggestions = 5;

/** Names of the directories right below that hold a repository of their own. */
async function childRepositories(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []); // only a suggestion
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const found: string[] = [];
  for (const name of names.sort()) {
    if (found.length === maxSuggestions) break;
    const inside = await readdir(join(directory, name)).catch((): string[] => []);
    if (inside.includes(".git")) found.push(name);
  }
  return found;
}
