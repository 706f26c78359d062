import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { readBytes } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { writeSeed } from "./change.ts";
import { type CommitResult, newestValid, type Version } from "./history.ts";
import { describeErrors, MAX_SEED_BYTES, readSeed, type SeedRead, textOf } from "./load.ts";
import { isRepairable, unusable } from "./unusable.ts";

/** What a repair would do. */
interface RepairPlan {
  readonly found: SeedRead;
  readonly version: Version;
}

/** Looks for a version that could replace a seed that is damaged, missing, or reset to defaults. */
export async function planRepair(path: string): Promise<RepairPlan | undefined> {
  const found = readSeed(path);
  if (found.state === "ready") return undefined;
  if (found.state === "damaged" && !isRepairable(found)) throw unusable(found);
  const version = await newestValid(path);
  if (version === undefined || (found.state === "unconfigured" && version.read.state === "unconfigured")) {
    if (found.state !== "damaged") return undefined;
    throw new ContinuoError(
      "seed-no-history",
      `${path} is damaged, and no version in its history can be read`,
      {
        hint: `fix it by hand (${describeErrors(found.errors)}), or move it away and run: continuo seed setup`,
      },
    );
  }
  return { found, version };
}

interface Repaired extends CommitResult {
  /** Where the damaged file is kept. */
  readonly kept?: string;
}

export async function applyRepair(path: string, plan: RepairPlan, lockWaitMs: number): Promise<Repaired> {
  const kept = plan.found.state === "missing" ? undefined : keepBeside(path);
  const done = await writeSeed(
    path,
    plan.version.read.config,
    (now) => now.state === plan.found.state && textOf(now) === textOf(plan.found),
    {
      kind: "Repair",
      what: `restored the version of ${plan.version.at} (${plan.version.commit.slice(0, 10)})`,
    },
    { lockWaitMs },
  );
  return kept === undefined ? done : { ...done, kept };
}

/** Never overwrites an earlier copy. */
function keepBeside(path: string): string {
  const bytes = readBytes(path, { maxBytes: MAX_SEED_BYTES });
  const first = join(dirname(path), `${basename(path)}.corrupted`);
  for (let number = 1; ; number++) {
    const copy = number === 1 ? first : `${first}-${number}`;
    if (existsSync(copy)) {
      if (readBytes(copy, { maxBytes: MAX_SEED_BYTES }).equals(bytes)) return copy;
      continue;
    }
    writeFileAtomic(copy, bytes);
    return copy;
  }
}
