import { describeError } from "../../base/errors.ts";
import { isNewer, type LoadResult, readSeed, resultOf } from "./file/load.ts";
import {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
} from "./format.ts";
import { pendingProposals } from "./learning/pending.ts";
import { resolveSeedPath } from "./settings.ts";
import type { SeedConfig } from "./types.ts";

export type ContextMode = "full" | "complement";

export type SessionContextOptions = {
  /** Without it, complement where PAI_DIR is set, since PAI tells the identity itself; else full. */
  mode?: ContextMode;
};

export type SessionContext =
  | {
      ok: true;
      /** Text for the session, as it is. */
      context: string;
      needsSetup: boolean;
      config: SeedConfig | null;
      proposalCount: number;
    }
  | { ok: false; error: string };

const SETUP = "The seed is not set up yet. The user can set it up with: continuo seed setup";

/** What a session is told at its start. Reads only. */
export async function generateSessionContext(
  seedPath?: string,
  options?: SessionContextOptions,
): Promise<SessionContext> {
  try {
    const path = resolveSeedPath(seedPath);
    const loaded = await loadSeedWithGit(path);
    const isFirstRun = loaded.state === "missing" || loaded.state === "unconfigured";
    if (isFirstRun) return { ok: true, context: SETUP, needsSetup: true, config: null, proposalCount: 0 };
    if (!loaded.ok) return { ok: false, error: loaded.error };
    const mode = options?.mode ?? (process.env["PAI_DIR"] ? "complement" : "full");
    const { config } = loaded;
    const proposals = pendingProposals(config, path);
    const parts = [
      `Seed: v${config.version}`,
      mode === "full" ? formatIdentitySummary(config.identity) : "",
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

/** What a hook script prints. A failure is a text too: it must not fail the session. */
export async function sessionStartHook(seedPath?: string, options?: SessionContextOptions): Promise<string> {
  const result = await generateSessionContext(seedPath, options);
  return result.ok ? result.context : `The seed could not be loaded: ${result.error}`;
}

/** Reads the seed; if it is damaged, looks what its history could bring back. Nothing is written, also not by git. */
export async function loadSeedWithGit(seedPath?: string): Promise<LoadResult> {
  const path = resolveSeedPath(seedPath);
  const result = resultOf(readSeed(path));
  if (result.ok || result.state === "missing" || isNewer(result.errors)) return result;
  const { newestValid } = await import("./file/history.ts");
  const version = await newestValid(path);
  const found =
    version === undefined
      ? "its history holds no version that can be read"
      : `the version of ${version.at} can be brought back`;
  return { ...result, error: `${result.error} (${found}; see: continuo seed repair)` };
}

/** Reads the seed. Other than the name suggests elsewhere, a missing one is not created. */
export async function loadSeed(seedPath?: string): Promise<LoadResult> {
  return resultOf(readSeed(resolveSeedPath(seedPath)));
}

/** Nobody has set the seed up. A damaged one was: it must never be taken for a first run. */
export async function isFirstRun(seedPath?: string): Promise<boolean> {
  const { state } = readSeed(resolveSeedPath(seedPath));
  return state === "missing" || state === "unconfigured";
}
