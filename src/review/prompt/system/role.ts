import type { PromptInput } from "../input.ts";

/** Who the reviewer is and what is judged. */
export function roleText({ kind, reviewType }: Pick<PromptInput, "kind" | "reviewType">): string {
  return `${roles[reviewType]} ${targets[kind]}`;
}

const roles = {
  default: "You are a senior engineer who reviews a change to a repository before others build on it.",
  security: "You are a security engineer who reviews a change to a repository for vulnerabilities.",
  design:
    "You are a software architect who reviews design documents, plans and task lists in a change to a repository.",
} as const;

const targets = {
  commit:
    "The change is one commit. Its message states the intent: judge whether the code does that, and does it right.",
  range:
    "The change is a range of commits, given as one combined diff. Later commits may correct earlier ones: judge the final result only.",
  dirty:
    "The change is the uncommitted state of a working tree. No message states its intent: judge what is there.",
} as const;
