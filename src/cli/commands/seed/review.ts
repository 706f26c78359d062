import { ContinuoError } from "../../../base/errors.ts";
import type { SidecarRecord } from "../../../sources/seed/file/sidecar.ts";
import {
  accept,
  type Decided,
  findLearning,
  forget,
  refresh,
  reject,
} from "../../../sources/seed/learning/decide.ts";
import { evidenceById, pendingProposals } from "../../../sources/seed/learning/decision-log.ts";
import {
  type Nearness,
  type StaleLearning,
  similarLearning,
  staleLearnings,
} from "../../../sources/seed/learning/relevance.ts";
import { visible } from "../../../sources/seed/text.ts";
import type { Proposal, SeedConfig } from "../../../sources/seed/types.ts";
import type { Input, Outcome } from "../../command.ts";
import { type Ask, asker, canAsk } from "../../terminal/input.ts";
import { decideAll, decidedOutcome, iso, profileOf, replaceBy, tagsForProposal } from "./decide.ts";
import { describeProposal, nearnessFor } from "./proposals.ts";

/** The answer of a person. Applied to the newest seed afterwards, so that no lock is held while they think. */
export type Verdict =
  | {
      readonly id: string;
      readonly say: "accept";
      readonly content?: string;
      readonly here?: boolean;
      readonly supersedes?: string;
    }
  | { readonly id: string; readonly say: "reject" }
  | { readonly id: string; readonly say: "keep" }
  | { readonly id: string; readonly say: "forget" };

export async function review(input: Input): Promise<Outcome> {
  const profile = profileOf(input);
  const { config } = profile;
  const pending = profile.pending();
  const aged = staleLearnings(config, input.now());
  if (pending.length + aged.length === 0) return { data: { steps: [] }, text: "Nothing to review." };
  if (!canAsk(input)) {
    throw new ContinuoError("no-terminal", "a review needs a terminal", {
      hint: "without one: continuo seed proposals, then continuo seed accept|reject ID…",
    });
  }
  const heard = evidenceById(profile.records());
  const nearness = nearnessFor(input);
  const describe = (one: Proposal) => describeProposal(one, heard.get(one.id), config, nearness).join("\n");
  const verdicts = askAll(asker(input), pending, aged, { config, describe, nearness });
  const { steps, result } = await decideAll(
    input,
    {
      kind: "Review",
      what: (all) =>
        `accepted ${all.filter((one) => one.do === "accept").length}, rejected ${all.filter((one) => one.do === "reject").length} proposals`,
    },
    (newest, records) => apply(verdicts, newest, records, input),
  );
  return decidedOutcome(steps, result);
}

/** Asks about each in turn. `q` stops; earlier answers still count. */
export function askAll(
  ask: Ask,
  pending: readonly Proposal[],
  aged: readonly StaleLearning[],
  {
    config,
    describe,
    nearness,
  }: { config: SeedConfig; describe(proposal: Proposal): string; nearness?: Nearness },
): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const proposal of pending) {
    const verdict = askOne(
      ask,
      proposal,
      describe(proposal),
      similarLearning(config, proposal.content, nearness)?.id,
    );
    if (verdict === "quit") return verdicts;
    if (verdict !== "skip") verdicts.push(verdict);
  }
  for (const { learning, days } of aged) {
    const question = `${learning.id}  "${visible(learning.content)}"\n    not confirmed for ${days} days. Is it still true?\n`;
    const key = askKey(ask, `${question}[k]eep [f]orget [s]kip [q]uit: `, "kfsq");
    if (key === "q") return verdicts;
    if (key !== "s") verdicts.push({ id: learning.id, say: key === "k" ? "keep" : "forget" });
  }
  return verdicts;
}

function askOne(
  ask: Ask,
  proposal: Proposal,
  text: string,
  like: string | undefined,
): Verdict | "skip" | "quit" {
  const { id } = proposal;
  const over = like === undefined ? "" : " [o]verwrite the similar one";
  const keys = `[a]ccept [p]roject only [e]dit${over} [r]eject [s]kip [q]uit: `;
  switch (askKey(ask, `\n${text}\n${keys}`, like === undefined ? "apersq" : "apeorsq")) {
    case "a":
      return { id, say: "accept" };
    case "p":
      return { id, say: "accept", here: true };
    case "o":
      return { id, say: "accept", ...(like === undefined ? {} : { supersedes: like }) };
    case "e": {
      const content = visible(ask(`New text instead of "${visible(proposal.content)}": `) ?? "");
      // An empty answer cancels the edit.
      return content === "" ? askOne(ask, proposal, text, like) : { id, say: "accept", content };
    }
    case "r":
      return { id, say: "reject" };
    case "s":
      return "skip";
    default:
      return "quit";
  }
}

/** One of the keys. Anything else asks again; the end of the input counts as `q`. */
function askKey(ask: Ask, question: string, keys: string): string {
  for (;;) {
    const typed = ask(question)?.toLowerCase() ?? "q";
    if (typed.length === 1 && keys.includes(typed)) return typed;
  }
}

function apply(
  verdicts: readonly Verdict[],
  first: SeedConfig,
  records: readonly SidecarRecord[],
  input: Input,
): Decided[] {
  const all: Decided[] = [];
  for (const verdict of verdicts) {
    const config = all.at(-1)?.config ?? first;
    all.push(...applyOne(verdict, config, records, input));
  }
  return all;
}

/** Skips what another process has decided in the meantime. */
function applyOne(
  verdict: Verdict,
  config: SeedConfig,
  records: readonly SidecarRecord[],
  input: Input,
): Decided[] {
  if (verdict.say === "keep" || verdict.say === "forget") {
    const found = findLearning(config, verdict.id);
    if (found === undefined) return [];
    const { category, learning } = found;
    return [
      verdict.say === "keep"
        ? refresh(config, category, learning, iso(input))
        : forget(config, category, learning),
    ];
  }
  const proposal = pendingProposals(config, () => records).find((one) => one.id === verdict.id);
  if (proposal === undefined) return [];
  if (verdict.say === "reject") return [reject(config, proposal, iso(input))];
  const { content, here, supersedes } = verdict;
  const done = accept(config, proposal, {
    now: iso(input),
    ...(content === undefined ? {} : { content }),
    tags: tagsForProposal(
      here === true ? { ...input, values: { project: true } } : input,
      evidenceById(records).get(verdict.id),
    ),
  });
  const isThere = supersedes !== undefined && findLearning(done.config, supersedes) !== undefined;
  return isThere ? [done, replaceBy(done.config, supersedes, verdict.id)] : [done];
}
