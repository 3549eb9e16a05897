/** Waits for a condition, never for time: polls until `check` returns something truthy, and fails loudly after `timeoutMs`. */
export async function waitFor<T>(
  what: string,
  check: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`gave up waiting for ${what} after ${timeoutMs} ms`);
    await Bun.sleep(5);
  }
}
