import { ContinuoError } from "../../../base/errors.ts";
import { sharedMeaning } from "../../../search/meaning/shared.ts";
import type { CommitKind } from "../../../sources/profile/file/history.ts";
import { byPrefix, newId } from "../../../sources/profile/file/ids.ts";
import type { EvidenceRecord } from "../../../sources/profile/file/sidecar.ts";
import {
  accept as acceptOne,
  type Decided,
  reject as rejectOne,
  withProposals,
} from "../../../sources/profile/learning/decide.ts";
import {
  evidenceById,
  pendingProposals,
  refusedValues,
} from "../../../sources/profile/learning/decision-log.ts";
import { changeProfile } from "../../../sources/profile/learning/profile.ts";
import { type Nearness, similarLearning } from "../../../sources/profile/learning/relevance.ts";
import { wishMeaning } from "../../../sources/profile/learning/same-wish.ts";
import { normalise, visible } from "../../../sources/profile/text.ts";
import type { Proposal, SeedConfig } from "../../../sources/profile/types.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { confirmed } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import {
  checkContent,
  decideAll,
  decidedOutcome,
  iso,
  LOCK,
  placeOf,
  profileOf,
  replaceBy,
  tagsForProposal,
  withCommit,
} from "./decide.ts";

export async function proposals(input: Input): Promise<Outcome> {
  const [, what = "list"] = input.positionals;
  if (what === "list") return list(input);
  if (what === "clean") return clean(input);
  throw new ContinuoError("usage", `unknown subcommand "seed proposals ${what}"`, {
    hint: "use list or clean; to decide: continuo review, or continuo seed accept|reject ID…",
  });
}

function list(input: Input): Outcome {
  const profile = profileOf(input);
  const { config } = profile;
  const heldBack = profile.heldBack();
  const all = profile.pending();
  const pending = [...all.filter(({ id }) => !heldBack.has(id)), ...all.filter(({ id }) => heldBack.has(id))];
  const heard = evidenceById(profile.records());
  const nearness = nearnessFor(input);
  const text =
    pending.length === 0
      ? "No pending suggestions."
      : [
          ...pending.flatMap((one) => [
            ...describeProposal(one, heard.get(one.id), config, nearness),
            ...similarLine(heldBack.get(one.id)),
          ]),
          "",
          "To decide: continuo review, or continuo seed accept|reject ID…",
        ].join("\n");
  const data = pending.map((one) => ({
    ...one,
    content: visible(one.content),
    evidence: heard.get(one.id) ?? null,
  }));
  return { data: { proposals: data }, text: wrapOn(text, input.screen ?? PLAIN, { hang: 2 }) };
}

function similarLine(rejected: string | undefined): string[] {
  return rejected === undefined ? [] : [`    similar to one you rejected: "${visible(rejected)}"`];
}

/** How near two contents are in meaning; the table is opened at the first comparison. */
export function nearnessFor({ env }: Pick<Input, "env">): Nearness {
  return wishMeaning(sharedMeaning(findHome(env))).nearness;
}

/** Everything that a person needs to decide. */
export function describeProposal(
  proposal: Proposal,
  heard: EvidenceRecord | undefined,
  config: SeedConfig,
  nearness: Nearness,
): string[] {
  const like = similarLearning(config, proposal.content, nearness);
  const where = [heard?.host, heard?.project].filter((one) => one !== undefined).join(", ");
  return [
    `${proposal.id}  [${proposal.type}] "${visible(proposal.content)}"`,
    ...(heard === undefined || heard.quote === "" ? [] : [`    you said: "${visible(heard.quote)}"`]),
    `    from ${visible(heard?.file ?? `session ${proposal.source}`)}${where === "" ? "" : ` (${visible(where)})`}, ${proposal.extractedAt.slice(0, 10)}`,
    ...(like === undefined
      ? []
      : [`    similar to ${like.id} "${visible(like.content)}" (--supersedes replaces it)`]),
  ];
}

/** Removes decided proposals from the seed. The sidecar remembers the rejected ones. */
async function clean(input: Input): Promise<Outcome> {
  let removed = 0;
  if (profileOf(input).state === "none") return { data: { removed }, text: "Nothing to clean." };
  const result = await changeProfile(
    placeOf(input),
    (config, records) => {
      const pending = config.state.proposals.filter((one) => one.status === "pending");
      removed = config.state.proposals.length - pending.length;
      if (removed === 0) return undefined;
      // Rejections by another program are only in the seed, so they are copied to the sidecar first.
      const refused = refusedValues(records);
      const steps = config.state.proposals
        .filter((one) => one.status === "rejected")
        .map((proposal) => ({ do: "reject" as const, proposal, value: normalise(proposal.content) }))
        .filter(({ value }) => !refused.has(value));
      const at = new Date(input.now()).toISOString();
      return {
        config: withProposals(config, pending),
        kind: "Cleanup",
        what: `removed ${removed} decided proposals`,
        records: steps.length === 0 ? [] : [{ kind: "decided", at, batch: newId(), steps }],
      };
    },
    LOCK,
  );
  return {
    data: { removed, committed: result?.committed ?? false },
    text: withCommit(
      [removed === 0 ? "Nothing to clean." : `Removed ${counted(removed, "decided suggestion")}.`],
      result,
    ),
  };
}

export async function accept(input: Input): Promise<Outcome> {
  const { edit, supersedes } = input.values;
  const ids = input.positionals.slice(1);
  if (edit !== undefined && ids.length !== 1) {
    throw new ContinuoError("usage", "--edit changes one suggestion", { hint: "pass exactly one id" });
  }
  const content = edit === undefined ? undefined : checkContent(String(edit));
  const many = await isAll(input, "accept");
  return decideOn(input, "Confirm", many, (config, proposal, heard) => {
    const done = acceptOne(config, proposal, {
      now: iso(input),
      tags: tagsForProposal(input, heard),
      ...(content === undefined ? {} : { content }),
    });
    return supersedes === undefined
      ? [done]
      : [done, replaceBy(done.config, String(supersedes), proposal.id)];
  });
}

export async function reject(input: Input): Promise<Outcome> {
  return decideOn(input, "Reject", await isAll(input, "reject"), (config, proposal) => [
    rejectOne(config, proposal, iso(input)),
  ]);
}

async function decideOn(
  input: Input,
  kind: CommitKind,
  many: boolean,
  decide: (config: SeedConfig, proposal: Proposal, heard: EvidenceRecord | undefined) => readonly Decided[],
): Promise<Outcome> {
  const ids = input.positionals.slice(1);
  const { steps, result } = await decideAll(input, kind, (first, records) => {
    const pending = pendingProposals(first, () => records);
    const heard = evidenceById(records);
    const chosen = many ? pending : ids.map((typed) => byPrefix(pending, typed, "pending suggestion"));
    const all: Decided[] = [];
    for (const proposal of new Set(chosen))
      all.push(...decide(all.at(-1)?.config ?? first, proposal, heard.get(proposal.id)));
    return all;
  });
  return decidedOutcome(steps, result);
}

async function isAll(input: Input, what: string): Promise<boolean> {
  const ids = input.positionals.slice(1);
  if (input.values["all"] !== true) {
    if (ids.length > 0) return false;
    throw new ContinuoError("usage", "ID is missing", {
      hint: `usage: continuo seed ${what} ID…, or --all; list the ids: continuo seed proposals`,
    });
  }
  const count = profileOf(input).pending().length;
  if (
    count === 0 ||
    (await confirmed(
      input,
      `${what === "accept" ? "Accept" : "Reject"} ${count === 1 ? "1 suggestion" : `all ${count} suggestions`}?`,
    ))
  )
    return true;
  throw new ContinuoError("not-confirmed", "nothing was changed");
}
