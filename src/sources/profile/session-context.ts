import { describeError } from "../../base/errors.ts";
import type { SeedError } from "./file/checks.ts";
import { readSeed, type SeedRead } from "./file/load.ts";
import { readSidecar } from "./file/sidecar.ts";
import { isRepairable, whyUnusable } from "./file/unusable.ts";
import {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
  identityInstructions,
} from "./format.ts";
import { pendingProposals } from "./learning/decision-log.ts";
import { resolveSeedPath } from "./settings.ts";
import { CATEGORIES, type SeedConfig } from "./types.ts";

export type ContextMode = "full" | "complement";

export type SessionContextOptions = {
  /** Default: complement if PAI_DIR is set, because PAI then provides the identity; else full. */
  mode?: ContextMode;
};

export type SessionContext =
  | {
      ok: true;
      /** Text for the session, used unchanged. */
      context: string;
      needsSetup: boolean;
      config: SeedConfig | null;
      proposalCount: number;
    }
  | { ok: false; error: string };

const SETUP = "The seed is not set up yet. The user can set it up with: continuo seed setup";

/** What a session gets at its start. Read-only. */
export async function generateSessionContext(
  seedPath?: string,
  options?: SessionContextOptions,
): Promise<SessionContext> {
  try {
    const path = resolveSeedPath(seedPath);
    const loaded = await loadSeedWithGit(path);
    if (loaded.state === "missing" || (loaded.state === "unconfigured" && !holdsLearnings(loaded.config)))
      return { ok: true, context: SETUP, needsSetup: true, config: null, proposalCount: 0 };
    if (!loaded.ok) return { ok: false, error: loaded.error };
    const mode = options?.mode ?? (process.env["PAI_DIR"] ? "complement" : "full");
    const { config } = loaded;
    const proposals = pendingProposals(config, () => readSidecar(path));
    const parts = [
      `Seed: v${config.version}`,
      mode === "full" && hasIdentity(config) ? formatIdentitySummary(config.identity) : "",
      formatLearningSummary(config.learned),
      formatProposals(proposals),
      formatSessionState(config.state),
    ];
    const context = parts.filter((part) => part !== "").join("\n\n");
    return { ok: true, context, needsSetup: false, config, proposalCount: proposals.length };
  } catch (error) {
    return { ok: false, error: describeError(error).message };
  }
}

/** A seed that an accepted suggestion created has no identity and needs none. */
function holdsLearnings({ learned }: SeedConfig): boolean {
  return CATEGORIES.some((category) => learned[category].length > 0);
}

/** Whether any part of it was set: the assistant may have a name before its user has given theirs. */
function hasIdentity({ identity }: SeedConfig): boolean {
  return identityInstructions(identity) !== "";
}

/** The output of a hook script. A failure is also printed, because it must not break the session. */
export async function sessionStartHook(seedPath?: string, options?: SessionContextOptions): Promise<string> {
  const result = await generateSessionContext(seedPath, options);
  return result.ok ? result.context : `The seed could not be loaded: ${result.error}`;
}

/**
 * Reads the seed; if it is damaged, says what its history could restore. Writes nothing, and git writes nothing either.
 */
export async function loadSeedWithGit(seedPath?: string): Promise<LoadResult> {
  const path = resolveSeedPath(seedPath);
  const read = readSeed(path);
  const result = toLoadResult(read);
  if (result.ok || read.state !== "damaged" || !isRepairable(read)) return result;
  const { newestValid } = await import("./file/history.ts");
  const version = await newestValid(path);
  const found =
    version === undefined
      ? "its history holds no version that can be read"
      : `the version of ${version.at} can be brought back`;
  return { ...result, error: `${result.error} (${found}; see: continuo seed repair)` };
}

/** Reads the seed. A missing one is not created, unlike in pai-seed. */
export async function loadSeed(seedPath?: string): Promise<LoadResult> {
  return toLoadResult(readSeed(resolveSeedPath(seedPath)));
}

/** Whether nobody has set up the seed yet. A damaged seed was set up, so it must never count as a first run. */
export async function isFirstRun(seedPath?: string): Promise<boolean> {
  const { state } = readSeed(resolveSeedPath(seedPath));
  return state === "missing" || state === "unconfigured";
}

export type LoadResult =
  | {
      readonly ok: true;
      readonly config: SeedConfig;
      readonly state: "ready" | "unconfigured";
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      readonly state: "missing" | "damaged";
      readonly error: string;
      readonly errors: readonly SeedError[];
    };

function toLoadResult(read: SeedRead): LoadResult {
  if (read.state === "missing") {
    return { ok: false, state: "missing", error: `there is no profile at ${read.path}`, errors: [] };
  }
  if (read.state === "damaged") {
    return { ok: false, state: "damaged", error: whyUnusable(read).message, errors: read.errors };
  }
  return { ok: true, state: read.state, config: read.config, warnings: read.warnings };
}
