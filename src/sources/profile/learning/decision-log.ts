import type { DecidedRecord, EvidenceRecord, SidecarRecord } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import type { Proposal, SeedConfig } from "../types.ts";

/** Reads the sidecar's records: what was decided, and which proposals are still pending. */

/**
 * The pending proposals to show. A value that the user has rejected is not shown again, whoever wrote it back into the
 * seed: another program, another host, an import or a sync.
 */
export function pendingProposals(config: SeedConfig, records: () => readonly SidecarRecord[]): Proposal[] {
  const pending = config.state.proposals.filter(
    (one) => one.status === "pending" && visible(one.content) !== "",
  );
  if (pending.length === 0) return [];
  const refused = refusedValues(records());
  return refused.size === 0 ? pending : pending.filter((one) => !refused.has(normalise(one.content)));
}

/**
 * The pending proposals that are held back, each with the similar rejected wish. If that rejection is revoked, the
 * proposal becomes an ordinary one.
 */
export function similarToRejected(
  config: SeedConfig,
  records: readonly SidecarRecord[],
): Map<string, string> {
  const heard = evidenceById(records);
  const refused = refusedValues(records);
  const isRejected = (text: string) =>
    refused.has(normalise(text)) ||
    config.state.proposals.some((one) => one.status === "rejected" && one.content === text);
  return new Map(
    pendingProposals(config, () => records).flatMap(({ id }) => {
      const text = heard.get(id)?.similarTo;
      return typeof text === "string" && isRejected(text) ? [[id, text]] : [];
    }),
  );
}

/** The decisions that were not undone, oldest first. */
export function decisionsInForce(records: readonly SidecarRecord[]): DecidedRecord[] {
  const undone = new Set(records.flatMap((one) => (one.kind === "undone" ? [one.batch] : [])));
  return records.filter((one): one is DecidedRecord => one.kind === "decided" && !undone.has(one.batch));
}

/**
 * Values that the user rejected or deleted, each with its words. They are never proposed again, unless the user teaches
 * one or revokes the rejection.
 */
export function refusedValues(records: readonly SidecarRecord[]): Map<string, string> {
  const refused = new Map<string, string>();
  for (const { steps } of decisionsInForce(records)) {
    for (const step of steps) {
      if (step.do === "reject") refused.set(step.value, step.proposal.content);
      else if (step.do === "forget") refused.set(step.value, step.learning.content);
      else if (step.do === "learn" || step.do === "allow") refused.delete(step.value);
    }
  }
  return refused;
}

/** Contents of accepted proposals, as they were originally proposed. */
export function acceptedContents(records: readonly SidecarRecord[]): string[] {
  return decisionsInForce(records).flatMap(({ steps }) =>
    steps.flatMap((step) => (step.do === "accept" ? [step.proposal.content] : [])),
  );
}

/** The origin of each proposal, by id. */
export function evidenceById(records: readonly SidecarRecord[]): Map<string, EvidenceRecord> {
  return new Map(records.flatMap((one) => (one.kind === "evidence" ? [[one.id, one]] : [])));
}
