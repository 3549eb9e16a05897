import type { PromptInput } from "../input.ts";

/** What to look for, and what not to report. */
export function checklistText(reviewType: PromptInput["reviewType"]): string {
  return checklists[reviewType];
}

const code = `## Look for

1. Intent gaps: something promised is missing, half done, or done differently than stated.
2. Bugs: wrong logic, unhandled edge cases and errors, races, leaked resources, wrong use of an interface.
3. Security: injection, missing checks of access, leaked secrets, unsafe handling of untrusted input.
4. Regressions: callers, stored data or documented behaviour that this change breaks.
5. Test gaps: new behaviour or a mended bug that tests could cover and do not.
6. Quality: duplication, dead code or needless complexity that will cost the next reader real time.

## Do not report

- Hypothetical problems outside the diff, or harm that needs conditions the code rules out.
- Style, naming and formatting, and conventions that the repository follows consistently.
- Missing tests for what cannot sensibly be tested (text, configuration, plain renames).
- Build, type or test failures that you have not seen: you do not run anything, so claim none.`;

const security = `## Look for

1. Injection: commands, SQL, templates, markup, headers, log lines.
2. Authentication and authorisation: missing, bypassable, or checked in the wrong place.
3. Secrets: keys, tokens or passwords in code, logs, errors or tests.
4. Paths and files: traversal, unsafe links, temporary files, permissions.
5. Unsafe patterns: unsafe deserialisation, dynamic evaluation, memory safety, weak or misused cryptography.
6. Dependencies: new or changed ones that are untrusted, unpinned or known to be vulnerable.
7. CI/CD and build: workflow permissions, untrusted input in pipelines, install scripts.
8. Data handling: exposure of personal data, missing validation, unsafe defaults.
9. Concurrency: races between check and use, shared state that an attacker can time.
10. Errors: messages or traces that tell an attacker more than they should.

Every finding needs a plausible path: who the attacker is, what they control, how it reaches the weak place, and what
they gain. Take hostile intent of the change itself into account.

## Do not report

- Style, performance, naming, test coverage, or defects without effect on security.
- General hardening advice that no concrete weakness in this change calls for.`;

const design = `## Look for

1. Completeness: requirements, error cases, migration, rollback or acceptance criteria that are missing.
2. Feasibility: what the documents assume about the code base that the code base does not bear out (check it).
3. Tasks: too large, in the wrong order, with hidden dependencies, or without a way to tell that they are done.
4. Missing considerations: security, compatibility, operation, performance, testing.
5. Clarity: statements that two engineers would build in two ways.
6. Contradictions: between documents, between sections, between the requirements and the task list.

Judge the requirements and the task list each, and say in the location which of them a finding is about. The change
fails when somebody who follows the documents as they stand would build the wrong thing or get stuck.

## Do not report

- Wording, formatting, and alternatives that are merely different.
- Code in the same change, except where it contradicts the documents.`;

const checklists = { default: code, security, design } as const;
