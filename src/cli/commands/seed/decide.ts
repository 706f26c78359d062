import { ContinuoError } from "../../../base/errors.ts";
import { changeSeed } from "../../../sources/seed/change.ts";
import {
  accept as acceptOne,
  type Decided,
  findLearning,
  reject as rejectOne,
  supersede,
} from "../../../sources/seed/decide.ts";
import type { CommitKind, CommitResult } from "../../../sources/seed/history.ts";
import { byPrefix, newId } from "../../../sources/seed/ids.ts";
import { pendingProposals } from "../../../sources/seed/pending.ts";
import type { Step } from "../../../sources/seed/sidecar.ts";
import type { Proposal, SeedConfig } from "../../../sources/seed/types.ts";
import { tell } from "../../../sources/seed/undo.ts";
import { visible } from "../../../sources/seed/words.ts";
import type { Input, Outcome } from "../../command.ts";
import { confirmed } from "../../terminal/input.ts";
import { allLearnings, iso, LOCK, pathOf, seedOf, tagsOf, withCommit } from "./place.ts";

/** One decision after the other, each on what the one before made of the seed. */
export type Decision = (config: SeedConfig) => readonly Decided[];

/** All of it at once: one write, one commit, one undo. */
export async function decideAll(
  input: Input,
  commit: { readonly kind: CommitKind; what(steps: readonly Step[]): string },
  decide: Decision,
): Promise<{ readonly steps: readonly Step[]; readonly result: CommitResult | undefined }> {
  let steps: readonly Step[] = [];
  const result = await changeSeed(
    pathOf(input),
    (config) => {
      const decided = decide(config);
      steps = decided.map((one) => one.step);
      const last = decided.at(-1);
      if (last === undefined) return undefined;
      const records = [{ kind: "decided" as const, at: iso(input), batch: newId(), steps }];
      return { config: last.config, kind: commit.kind, what: commit.what(steps), records };
    },
    LOCK,
  );
  return { steps, result };
}

export async function accept(input: Input): Promise<Outcome> {
  const { edit, supersedes } = input.values;
  const ids = input.positionals.slice(1);
  if (edit !== undefined && ids.length !== 1) {
    throw new ContinuoError("usage", "--edit rewords one proposal", { hint: "name exactly one id" });
  }
  const content = edit === undefined ? undefined : checkContent(String(edit));
  const many = isAll(input, "accept");
  return decideOn(input, "Confirm", many, (config, proposal) => {
    const done = acceptOne(config, proposal, {
      now: iso(input),
      tags: tagsOf(input),
      ...(content === undefined ? {} : { content }),
    });
    return supersedes === undefined
      ? [done]
      : [done, replaceBy(done.config, String(supersedes), proposal.id)];
  });
}

export async function reject(input: Input): Promise<Outcome> {
  return decideOn(input, "Reject", isAll(input, "reject"), (config, proposal) => [
    rejectOne(config, proposal, iso(input)),
  ]);
}

/** The learning that the new one contradicts leaves the seed. */
export function replaceBy(config: SeedConfig, typed: string, by: string): Decided {
  const others = allLearnings(config).filter((one) => one.id !== by);
  const { id } = byPrefix(others, typed, "learning");
  const found = findLearning(config, id);
  if (found === undefined) throw new ContinuoError("no-such-id", `there is no learning "${id}"`);
  return supersede(config, found.category, found.learning, by);
}

export function checkContent(text: string): string {
  const content = visible(text);
  if (content !== "") return content;
  throw new ContinuoError("usage", "the text is empty", { hint: "say in a few words what was learned" });
}

async function decideOn(
  input: Input,
  kind: CommitKind,
  many: boolean,
  decide: (config: SeedConfig, proposal: Proposal) => readonly Decided[],
): Promise<Outcome> {
  const { path } = seedOf(input);
  const ids = input.positionals.slice(1);
  const { steps, result } = await decideAll(input, { kind, what: tellAll }, (first) => {
    const pending = pendingProposals(first, path);
    const chosen = many ? pending : ids.map((typed) => byPrefix(pending, typed, "pending proposal"));
    const all: Decided[] = [];
    for (const proposal of new Set(chosen)) all.push(...decide(all.at(-1)?.config ?? first, proposal));
    return all;
  });
  return decidedOutcome(steps, result);
}

export function decidedOutcome(steps: readonly Step[], result: CommitResult | undefined): Outcome {
  const lines = steps.length === 0 ? ["There was nothing to decide."] : steps.map(said);
  return { data: { steps, committed: result?.committed ?? false }, text: withCommit(lines, result) };
}

export function tellAll(steps: readonly Step[]): string {
  return steps.map(tell).join(", ");
}

function said(step: Step): string {
  const { id, content } = step.do === "reject" ? step.proposal : step.learning;
  return `${SAID[step.do]} ${id} "${visible(content)}"`;
}

const SAID: Readonly<Record<Step["do"], string>> = {
  accept: "Accepted",
  reject: "Rejected, not to be proposed again:",
  learn: "Learned",
  forget: "Forgot",
  supersede: "Replaced",
  refresh: "Confirmed",
};

function isAll(input: Input, what: string): boolean {
  const ids = input.positionals.slice(1);
  if (input.values["all"] !== true) {
    if (ids.length > 0) return false;
    throw new ContinuoError("usage", `which proposals do you ${what}?`, {
      hint: `continuo seed ${what} ID…, or --all; see: continuo seed proposals`,
    });
  }
  const { config, path } = seedOf(input);
  const count = pendingProposals(config, path).length;
  if (count === 0 || confirmed(input, `${what} all ${count} proposals?`)) return true;
  throw new ContinuoError("not-confirmed", "nothing was decided");
}
