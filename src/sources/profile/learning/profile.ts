import { existsSync } from "node:fs";
import { ContinuoError } from "../../../base/errors.ts";
import { withLock } from "../../../store/lock.ts";
import { type ChangeOptions, changeSeed, type SeedChange, usable, writeSeed } from "../file/change.ts";
import type { CommitResult } from "../file/history.ts";
import { readSeed, type SeedRead } from "../file/load.ts";
import { defaultSeed } from "../file/schema.ts";
import { inOrder, readSidecar, type SidecarRecord } from "../file/sidecar.ts";
import {
  appendWaiting,
  clearWaiting,
  readWaiting,
  type Waiting,
  type WaitingRecord,
  waitingLock,
  waitingPath,
} from "../file/waiting.ts";
import { CATEGORIES, type Proposal, type SeedConfig } from "../types.ts";
import { allow, reject, withProposals } from "./decide.ts";
import { decisionsInForce, pendingProposals, similarToRejected } from "./decision-log.ts";

/**
 * What Continuo knows about the user, with or without a seed. Without one, proposals are stored in a file in Continuo's
 * home; the first learning creates the seed, which takes them over.
 */

export interface Place {
  /** The seed's file, which may not exist. */
  readonly seed: string;
  /** Continuo's home. */
  readonly home: string;
}

export interface Profile {
  readonly state: "none" | "unconfigured" | "ready";
  readonly path: string;
  /** The seed with pending proposals; without a seed, one that contains only these. */
  readonly config: SeedConfig;
  /** Read on first use. */
  records(): readonly SidecarRecord[];
  /** The proposals that the user has to decide. */
  pending(): Proposal[];
  /** Those that are held back, with the similar rejected wish. */
  heldBack(): ReadonlyMap<string, string>;
}

/** Read-only. Throws if the seed, or the file of pending proposals, cannot be used. */
export function readProfile(place: Place, seed: SeedRead = readSeed(place.seed)): Profile {
  const isThere = seed.state !== "missing";
  const waiting = readWaiting(waitingPath(place.home));
  const before = isThere ? usable(seed).config : defaultSeed();
  let held: readonly SidecarRecord[] | undefined;
  const records = () => {
    held ??= isThere ? inOrder([...readSidecar(place.seed), ...waiting.records]) : inOrder(waiting.records);
    return held;
  };
  const config = withWaiting(before, waiting);
  return {
    state: seed.state === "missing" || seed.state === "damaged" ? "none" : seed.state,
    path: place.seed,
    config,
    records,
    pending: () => pendingProposals(config, records),
    heldBack: () => similarToRejected(config, records()),
  };
}

/** Like `changeSeed`, but also works without a seed: it is created if the change contains a learning. */
export async function changeProfile(
  place: Place,
  decide: (config: SeedConfig, records: readonly SidecarRecord[]) => SeedChange | undefined,
  options: ChangeOptions,
): Promise<CommitResult | undefined> {
  const path = waitingPath(place.home);
  const isThere = () => {
    const seed = readSeed(place.seed);
    return seed.state !== "missing" && usable(seed) !== undefined;
  };
  if (isThere() && !existsSync(path)) return changeSeed(place.seed, decide, options);
  return withLock(
    waitingLock(place.home),
    async () => {
      const waiting = readWaiting(path);
      if (!isThere()) return changeWithoutSeed(place, waiting, decide, options);
      const result = await changeSeed(place.seed, takingOver(waiting, decide), options);
      clearWaiting(path, waiting);
      return result;
    },
    { waitMs: options.lockWaitMs },
  );
}

/** Adds all pending proposals to the change, without duplicates, because a process may have been killed in between. */
function takingOver(waiting: Waiting, decide: Parameters<typeof changeProfile>[1]): typeof decide {
  return (config, records) => {
    const taken = withWaiting(config, waiting);
    const added = missingIn(records, waiting.records);
    const change = decide(taken, inOrder([...records, ...added]));
    if (change !== undefined) return { ...change, records: [...added, ...(change.records ?? [])] };
    if (taken === config && added.length === 0) return undefined;
    return { config: taken, kind: "Update", what: "took over waiting proposals", records: added };
  };
}

async function changeWithoutSeed(
  place: Place,
  waiting: Waiting,
  decide: Parameters<typeof changeProfile>[1],
  options: ChangeOptions,
): Promise<CommitResult | undefined> {
  const path = waitingPath(place.home);
  const before = withWaiting(defaultSeed(), waiting);
  const change = decide(before, inOrder(waiting.records));
  if (change === undefined) return undefined;
  const records = change.records ?? [];
  if (CATEGORIES.every((category) => change.config.learned[category].length === 0)) {
    const known = new Set(before.state.proposals.map((one) => one.id));
    const proposed = change.config.state.proposals
      .filter((one) => !known.has(one.id))
      .map((proposal): WaitingRecord => ({ kind: "proposed", at: proposal.extractedAt, proposal }));
    appendWaiting(path, place.home, [...proposed, ...records]);
    return { committed: false };
  }
  await refuseToHide(place.seed);
  const all = missingIn(readSidecar(place.seed), [...waiting.records, ...records]);
  const isMissing = ({ state }: { state: string }) => state === "missing";
  const result = await writeSeed(place.seed, change.config, isMissing, { ...change, records: all }, options);
  clearWaiting(path, waiting);
  return result;
}

/** If the file was deleted but its git history exists, a new seed would hide what was learned. */
export async function refuseToHide(seedPath: string): Promise<void> {
  const { newestValid } = await import("../file/history.ts");
  const version = await newestValid(seedPath);
  if (version?.read.state !== "ready") return;
  throw new ContinuoError("seed-in-history", `the history has a profile from ${version.at}`, {
    hint: "restore it: continuo seed repair; start over: continuo seed setup --new",
  });
}

/** The seed with the pending proposals, each with the decision about it. */
function withWaiting(config: SeedConfig, { proposals, records }: Waiting): SeedConfig {
  const known = new Set(config.state.proposals.map((one) => one.id));
  const added = proposals.filter((one) => !known.has(one.id));
  if (added.length === 0) return config;
  const all = withProposals(config, [...config.state.proposals, ...added]);
  const isAdded = new Set(added.map((one) => one.id));
  let after = all;
  for (const { steps, at } of decisionsInForce(inOrder(records)))
    for (const step of steps)
      if (step.do === "reject" && isAdded.has(step.proposal.id))
        after = reject(after, step.proposal, at).config;
      else if (step.do === "allow" && isAdded.has(step.proposal.id))
        after = allow(after, step.proposal, step.rejectedAt).config;
  return after;
}

function missingIn(known: readonly SidecarRecord[], records: readonly SidecarRecord[]): SidecarRecord[] {
  const lines = new Set(known.map((one) => JSON.stringify(one)));
  return records.filter((one) => !lines.has(JSON.stringify(one)));
}
