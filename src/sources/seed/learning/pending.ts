import { readSidecar, refusedValues } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import type { Proposal, SeedConfig } from "../types.ts";

/**
 * What waits for the human, and can be seen. What they turned down once is not put to them again, whoever wrote it back into the seed:
 * another program, another host, an import or a sync.
 */
export function pendingProposals(config: SeedConfig, seedPath: string): Proposal[] {
  const pending = config.state.proposals.filter(
    (one) => one.status === "pending" && visible(one.content) !== "",
  );
  if (pending.length === 0) return [];
  const refused = refusedValues(readSidecar(seedPath));
  return refused.size === 0 ? pending : pending.filter((one) => !refused.has(normalise(one.content)));
}
