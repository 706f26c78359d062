import type { CommitKind, CommitResult } from "../file/history.ts";
import { newId } from "../file/ids.ts";
import type { SidecarRecord, Step } from "../file/sidecar.ts";
import type { SeedConfig } from "../types.ts";
import type { Decided } from "./decide.ts";
import { changeProfile, type Place } from "./profile.ts";
import { summariseStep } from "./undo.ts";

/** Decisions in order, each applied to the result of the one before; none leaves the seed as it is. */
export type Decision = (config: SeedConfig, records: readonly SidecarRecord[]) => readonly Decided[];

export interface Applied {
  readonly steps: readonly Step[];
  /** With which the decisions are undone together; undefined if there were none. */
  readonly batch: string | undefined;
  readonly result: CommitResult | undefined;
}

export interface ApplyOptions {
  readonly now: number;
  readonly lockWaitMs: number;
}

/** Applies all decisions with one write, one commit and one undo step. */
export async function applyDecisions(
  place: Place,
  kind: CommitKind,
  decide: Decision,
  { now, lockWaitMs }: ApplyOptions,
): Promise<Applied> {
  let steps: readonly Step[] = [];
  let batch: string | undefined;
  const result = await changeProfile(
    place,
    (config, held) => {
      const decided = decide(config, held);
      steps = decided.map((one) => one.step);
      const last = decided.at(-1);
      batch = last === undefined ? undefined : newId();
      if (last === undefined || batch === undefined) return undefined;
      const at = new Date(now).toISOString();
      const records = [{ kind: "decided" as const, at, batch, steps }];
      return { config: last.config, kind, what: steps.map(summariseStep).join(", "), records };
    },
    { lockWaitMs },
  );
  return { steps, batch, result };
}
