import { changeSeed } from "../file/change.ts";
import type { CommitResult } from "../file/history.ts";
import { type DecidedRecord, type Step, standing } from "../file/sidecar.ts";
import { visible } from "../text.ts";
import { takeBack } from "./decide.ts";

export interface Undone {
  readonly batches: readonly DecidedRecord[];
  readonly result: CommitResult | undefined;
}

/**
 * Takes back the last decisions, newest first, each whole. By the sidecar and not by git: what else happened to the seed
 * since stays, and it works where there is no git.
 */
export async function undoLast(
  path: string,
  count: number,
  options: { readonly now: number; readonly lockWaitMs: number },
): Promise<Undone> {
  let batches: DecidedRecord[] = [];
  const result = await changeSeed(
    path,
    (config, records) => {
      batches = standing(records).slice(-count).reverse();
      const steps = batches.flatMap((batch) => [...batch.steps].reverse());
      if (steps.length === 0) return undefined;
      const at = new Date(options.now).toISOString();
      return {
        config: steps.reduce(takeBack, config),
        kind: "Update",
        what: `undid: ${steps.map(tell).join(", ")}`,
        records: batches.map(({ batch }) => ({ kind: "undone" as const, at, batch })),
      };
    },
    { lockWaitMs: options.lockWaitMs },
  );
  return { batches, result };
}

/** `accepted "Prefers pnpm"`, in the words that it was accepted with. */
export function tell(step: Step): string {
  const { content } = step.do === "reject" ? step.proposal : step.learning;
  return `${PAST[step.do]} "${visible(content)}"`;
}

const PAST: Readonly<Record<Step["do"], string>> = {
  accept: "accepted",
  reject: "rejected",
  learn: "learned",
  forget: "forgot",
  supersede: "replaced",
  refresh: "confirmed",
};
