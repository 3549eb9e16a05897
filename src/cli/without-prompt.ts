/**
 * A job or review for programs. Its prompt repeats the whole diff, in a review even twice: an agent that reads one
 * would get that instead of the findings behind it. `show --prompt` prints it.
 */
export function withoutPrompt<T extends object>(value: T): Omit<T, "prompt"> {
  const { prompt: _, ...rest } = value as T & { prompt?: unknown };
  return "job" in rest ? { ...rest, job: withoutPrompt(rest.job as object) } : (rest as Omit<T, "prompt">);
}
