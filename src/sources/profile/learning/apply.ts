import type { CommitKind, CommitResult } from "../file/history.ts";
import { newId } from "../file/ids.ts";
import type { DecidedRecord, SidecarRecord, Step } from "../file/sidecar.ts";
import { visible } from "../text.ts";
import type { SeedConfig } from "../types.ts";
import { type Decided, undoStep } from "./decide.ts";
import { decisionsInForce } from "./decision-log.ts";
import { changeProfile, type Place } from "./profile.ts";

/**
 * A decision; several are applied in order, each to the result of the previous one. Undefined leaves the seed
 * unchanged.
 */
export type Decision = (config: SeedConfig, records: readonly SidecarRecord[]) => readonly Decided[];

export interface Applied {
  readonly steps: readonly Step[];
  /** The id by which the decisions are undone together; undefined if there were none. */
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

export interface Undone {
  readonly batches: readonly DecidedRecord[];
  readonly result: CommitResult | undefined;
}

interface UndoOptions {
  readonly now: number;
  readonly lockWaitMs: number;
}

/** Undoes the last batches of decisions, newest first. */
export function undoLast(place: Place, count: number, options: UndoOptions): Promise<Undone> {
  return undoChosen(place, (inForce) => inForce.slice(-count).reverse(), options);
}

/** Undoes one batch of decisions, unless it was already undone. Later decisions are kept. */
export function undoBatch(place: Place, batch: string, options: UndoOptions): Promise<Undone> {
  return undoChosen(place, (inForce) => inForce.filter((one) => one.batch === batch), options);
}

/** Uses the sidecar instead of git, so that other changes to the seed are kept, and so that it works without git. */
async function undoChosen(
  place: Place,
  choose: (inForce: readonly DecidedRecord[]) => DecidedRecord[],
  options: UndoOptions,
): Promise<Undone> {
  let batches: DecidedRecord[] = [];
  const result = await changeProfile(
    place,
    (config, records) => {
      batches = choose(decisionsInForce(records));
      const steps = batches.flatMap((batch) => [...batch.steps].reverse());
      if (steps.length === 0) return undefined;
      const at = new Date(options.now).toISOString();
      return {
        config: steps.reduce(undoStep, config),
        kind: "Update",
        what: `undid: ${steps.map(summariseStep).join(", ")}`,
        records: batches.map(({ batch }) => ({ kind: "undone" as const, at, batch })),
      };
    },
    { lockWaitMs: options.lockWaitMs },
  );
  return { batches, result };
}

/** A summary to show, such as `accepted "Prefers pnpm"`, with the accepted words. */
export function summariseStep(step: Step): string {
  const { content } = step.do === "reject" || step.do === "allow" ? step.proposal : step.learning;
  return `${PAST[step.do]} "${visible(content)}"`;
}

const PAST: Readonly<Record<Step["do"], string>> = {
  accept: "accepted",
  reject: "rejected",
  allow: "allowed again",
  learn: "learned",
  forget: "forgot",
  supersede: "replaced",
  refresh: "confirmed",
};
