import type { CommitResult } from "../file/history.ts";
import type { DecidedRecord, Step } from "../file/sidecar.ts";
import { visible } from "../text.ts";
import { undoStep } from "./decide.ts";
import { decisionsInForce } from "./decision-log.ts";
import { changeProfile, type Place } from "./profile.ts";

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

/** Undoes one batch of decisions, unless it was undone before. What was decided after it is kept. */
export function undoBatch(place: Place, batch: string, options: UndoOptions): Promise<Undone> {
  return undoChosen(place, (inForce) => inForce.filter((one) => one.batch === batch), options);
}

/** It uses the sidecar and not git, so that other changes to the seed are kept, and works without git. */
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

/** For people, such as `accepted "Prefers pnpm"`, in the words that were accepted. */
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
