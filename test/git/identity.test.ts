import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Checkout, findCheckout } from "../../src/git/checkout.ts";
import { createCheckoutReader } from "../../src/git/checkout-cache.ts";
import { knownIdentity, repoIdentity, withoutCredentials } from "../../src/git/identity.ts";
import { expectWithin } from "../support/limit.ts";
import { testRepo } from "../support/repo.ts";

test("the identity is .roborev-id, else origin, else the first remote, else the path, and follows a change", async () => {
  using repo = testRepo();
  const checkout = (await findCheckout(repo.path)) as Checkout;
  expect(await repoIdentity(checkout)).toBe(`local://${repo.path}`);
  repo.git("remote", "add", "fork", "git@example.invalid:fork/x.git");
  expect(await repoIdentity(checkout)).toBe("example.invalid:fork/x.git");
  repo.git("remote", "add", "origin", "https://user:secret@example.invalid/x.git");
  expect(await repoIdentity(checkout)).toBe("https://example.invalid/x.git");
  repo.write(".roborev-id", " team/x \n");
  expect(await repoIdentity(checkout)).toBe("team/x");
  repo.write(".roborev-id", "no spaces allowed\n");
  expect(await repoIdentity(checkout)).toBe("https://example.invalid/x.git");
});

test("a .roborev-id that is a link is not followed", async () => {
  using repo = testRepo();
  repo.write("other", "team/x\n");
  symlinkSync(join(repo.path, "other"), join(repo.path, ".roborev-id"));
  const checkout = (await findCheckout(repo.path)) as Checkout;
  expect(await repoIdentity(checkout)).toBe(`local://${repo.path}`);
});

test("a repeat is answered from memory", async () => {
  using repo = testRepo();
  const checkout = (await findCheckout(repo.path)) as Checkout;
  await repoIdentity(checkout);
  const started = performance.now();
  for (let index = 0; index < 200; index++) await repoIdentity(checkout);
  expectWithin((performance.now() - started) / 200, 1); // a git process costs more than that
});

test("the identity of a remembered checkout is known without a look at git's configuration, until either changes", async () => {
  using repo = testRepo();
  const read = createCheckoutReader(() => Date.now() + 3_600_000);
  const resolve = () => read(repo.path) as Checkout;
  expect(knownIdentity(resolve())).toBeUndefined();
  await repoIdentity(resolve());
  expect(knownIdentity(resolve())).toBe(`local://${repo.path}`);
  repo.git("remote", "add", "origin", "https://example.invalid/x.git");
  expect(knownIdentity(resolve())).toBeUndefined();
  expect(await repoIdentity(resolve())).toBe("https://example.invalid/x.git");
  repo.write(".roborev-id", "team/x\n");
  expect(knownIdentity(resolve())).toBeUndefined();
  expect(await repoIdentity(resolve())).toBe("team/x");
  expect(knownIdentity(resolve())).toBe("team/x");
});

test("no spelling of a remote keeps its credentials", () => {
  const cases: [string, string][] = [
    ["https://u:p@h/x", "https://h/x"],
    ["https://u:p@q@h/x", "https://h/x"],
    ["ssh://git@h:22/x", "ssh://h:22/x"],
    ["git@h:x/y@z.git", "h:x/y@z.git"],
    ["h:x", "h:x"],
    ["/srv/git/a@b.git", "/srv/git/a@b.git"],
    ["./a@b:c", "./a@b:c"],
    ["https://h/x?token=@", "https://h/x?token=@"],
  ];
  for (const [url, expected] of cases) expect(withoutCredentials(url)).toBe(expected);
});
