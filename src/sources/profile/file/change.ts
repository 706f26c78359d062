import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { withLock } from "../../../store/lock.ts";
import { readText } from "../../../store/read-file.ts";
import { UNFINISHED, writeFileAtomic } from "../../../store/write-file.ts";
import type { SeedConfig } from "../types.ts";
import { type CommitKind, type CommitResult, commitSeed } from "./history.ts";
import { describeErrors, MAX_SEED_BYTES, readSeed, type SeedRead } from "./load.ts";
import { validateSeed } from "./schema.ts";
import { appendSidecar, readSidecar, type SidecarRecord } from "./sidecar.ts";
import { unusable } from "./unusable.ts";

export interface SeedChange {
  readonly config: SeedConfig;
  readonly kind: CommitKind;
  /** The commit's message. */
  readonly what: string;
  readonly records?: readonly SidecarRecord[];
}

export interface ChangeOptions {
  readonly lockWaitMs: number;
  /** False if the change should become part of the next commit. */
  readonly commit?: boolean;
}

/** How often another program, which does not know Continuo's lock, may write in between before this gives up. */
const ATTEMPTS = 5;

/**
 * Reads, changes and writes the seed, one process at a time. `decide` receives the newest seed and returns the changed
 * one, or undefined to leave it unchanged. Never writes a missing or damaged seed.
 */
export async function changeSeed(
  path: string,
  decide: (config: SeedConfig, records: readonly SidecarRecord[]) => SeedChange | undefined,
  options: ChangeOptions,
): Promise<CommitResult | undefined> {
  // Checked first, because taking the lock creates the folder, and a session must leave no trace if there is no seed.
  usable(readSeed(path));
  return withLock(
    lockOf(path),
    async () => {
      for (let attempt = 1; ; attempt++) {
        const before = usable(readSeed(path));
        removeUnfinished(dirname(path));
        const change = decide(before.config, readSidecar(path));
        if (change === undefined) return undefined;
        const text = serialise(change.config);
        if (readText(path, { maxBytes: MAX_SEED_BYTES }) !== before.text) {
          if (attempt < ATTEMPTS) continue;
          throw new ContinuoError("seed-changed", `${path} is being changed by another program`, {
            hint: "nothing was written; try again when it is done",
          });
        }
        // Decisions first: if the process is killed in between, the user is asked again, and nothing is lost.
        appendSidecar(path, change.records ?? []);
        if (text !== before.text) writeFileAtomic(path, text);
        return options.commit === false ? { committed: false } : commitSeed(path, change.kind, change.what);
      }
    },
    { waitMs: options.lockWaitMs, leavesNothing: true },
  );
}

/** Creates a seed, or replaces one. `replaces` decides whether the existing file may be replaced. */
export async function writeSeed(
  path: string,
  config: SeedConfig,
  replaces: (found: SeedRead) => boolean,
  commit: {
    readonly kind: CommitKind;
    readonly what: string;
    readonly records?: readonly SidecarRecord[];
  },
  options: ChangeOptions,
): Promise<CommitResult> {
  ensureFolder(dirname(path));
  return withLock(
    lockOf(path),
    async () => {
      const found = readSeed(path);
      if (!replaces(found)) {
        throw new ContinuoError("seed-changed", `${path} was changed by another process meanwhile`, {
          hint: "inspect it with: continuo seed status",
        });
      }
      const text = serialise(config);
      appendSidecar(path, commit.records ?? []);
      writeFileAtomic(path, text);
      return commitSeed(path, commit.kind, commit.what);
    },
    { waitMs: options.lockWaitMs, leavesNothing: true },
  );
}

/**
 * Next to the seed, because processes with different Continuo homes may share it. Git ignores `*.tmp`. The folder is
 * the user's, so the lock is removed after use.
 */
function lockOf(path: string): string {
  return join(dirname(path), ".continuo-lock.tmp");
}

/** Removes what killed processes left unfinished. Only the holder of the lock writes here. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true });
}

/**
 * Writes only what every reader of the format accepts. Anything else is a bug in Continuo and must not get into the
 * file.
 */
function serialise(config: SeedConfig): string {
  const checked = validateSeed(config);
  if (!checked.ok) {
    throw new ContinuoError("seed-invalid", `not written: ${describeErrors(checked.errors)}`, {
      hint: "nothing was changed; please report this",
    });
  }
  return `${JSON.stringify(config, null, 2)}\n`;
}

type UsableSeed = Extract<SeedRead, { state: "ready" | "unconfigured" }>;

export function usable(read: SeedRead): UsableSeed {
  if (read.state === "missing") {
    throw new ContinuoError("seed-missing", `there is no profile at ${read.path}`, {
      hint: "create one: continuo seed setup",
    });
  }
  if (read.state !== "damaged") return read;
  throw unusable(read);
}
