import { candidateOf } from "../../../../src/cli/commands/sessions/pick.ts";
import { fold } from "../../../../src/cli/commands/sessions/pick-match.ts";
import type { Candidate } from "../../../../src/cli/commands/sessions/pick-state.ts";

export const NOW = Date.UTC(2026, 10, 17, 12);

interface Given {
  readonly name: string;
  readonly project?: string;
  readonly agent?: string;
  readonly prompts?: string;
  readonly isGone?: boolean;
}

/** A session that can be picked; each further one is an hour older. */
export function candidate(given: Given, at = 0): Candidate {
  const agent = given.agent ?? "claude-code";
  const session = {
    host: agent,
    id: `session-${at}`,
    name: given.name,
    ...(given.project !== undefined && { label: given.project }),
    cwd: "/work/shop",
    namedBy: "us" as const,
    started: NOW - (at + 1) * 3_600_000,
    modified: NOW - at * 3_600_000,
    size: 1,
    path: `/transcripts/${at}`,
    isGone: given.isGone ?? false,
    isChild: false,
    counts: { turns: 2, prompts: 1, passages: 2, compactions: 0 },
  };
  const made = candidateOf(session, agent);
  return { ...made, text: { ...made.text, prompts: fold(given.prompts ?? "") } };
}

export const candidates = (...given: readonly (string | Given)[]): Candidate[] =>
  given.map((one, at) => candidate(typeof one === "string" ? { name: one } : one, at));
