import { ContinuoError } from "../../../base/errors.ts";
import { changeSeed } from "../../../sources/seed/change.ts";
import { withProposals } from "../../../sources/seed/decide.ts";
import { newId } from "../../../sources/seed/ids.ts";
import { pendingProposals } from "../../../sources/seed/pending.ts";
import {
  type EvidenceRecord,
  evidenceById,
  readSidecar,
  refusedValues,
} from "../../../sources/seed/sidecar.ts";
import { similarLearning } from "../../../sources/seed/similar.ts";
import type { Proposal, SeedConfig } from "../../../sources/seed/types.ts";
import { normalise, visible } from "../../../sources/seed/words.ts";
import type { Input, Outcome } from "../../command.ts";
import { LOCK, pathOf, seedOf, withCommit } from "./place.ts";

export async function proposals(input: Input): Promise<Outcome> {
  const [, what = "list"] = input.positionals;
  if (what === "list") return list(input);
  if (what === "clean") return clean(input);
  throw new ContinuoError("usage", `there is no "seed proposals ${what}"`, {
    hint: "continuo seed proposals [list], or clean; decide with: continuo seed accept|reject ID…, or review",
  });
}

function list(input: Input): Outcome {
  const { config, path } = seedOf(input);
  const pending = pendingProposals(config, path);
  const heard = evidenceById(readSidecar(path));
  const text =
    pending.length === 0
      ? "No proposal waits."
      : [
          ...pending.flatMap((one) => describeProposal(one, heard.get(one.id), config)),
          "",
          "Decide: continuo seed review, or accept|reject ID…",
        ].join("\n");
  const data = pending.map((one) => ({
    ...one,
    content: visible(one.content),
    evidence: heard.get(one.id) ?? null,
  }));
  return { data: { proposals: data }, text };
}

/** All that a person needs to decide. */
export function describeProposal(
  proposal: Proposal,
  heard: EvidenceRecord | undefined,
  config: SeedConfig,
): string[] {
  const like = similarLearning(config, proposal.content);
  const where = [heard?.host, heard?.project].filter((one) => one !== undefined).join(", ");
  return [
    `${proposal.id}  [${proposal.type}] "${visible(proposal.content)}"`,
    ...(heard === undefined || heard.quote === "" ? [] : [`    heard: "${visible(heard.quote)}"`]),
    `    from session ${visible(proposal.source)}${where === "" ? "" : ` (${visible(where)})`}, ${proposal.extractedAt.slice(0, 10)}`,
    ...(like === undefined
      ? []
      : [`    similar to ${like.id} "${visible(like.content)}": --supersedes replaces it`]),
  ];
}

/** Decided ones leave the seed. That they were turned down is remembered in the sidecar. */
async function clean(input: Input): Promise<Outcome> {
  let removed = 0;
  const result = await changeSeed(
    pathOf(input),
    (config, records) => {
      const pending = config.state.proposals.filter((one) => one.status === "pending");
      removed = config.state.proposals.length - pending.length;
      if (removed === 0) return undefined;
      // What another program rejected is known from the seed alone, until now.
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
    text: withCommit([removed === 0 ? "Nothing to clean." : `Removed ${removed} decided proposals.`], result),
  };
}
