/** `continuo/seed`: who the user is, what was learned, and what waits for their decision. */

export type { SeedError } from "./checks.ts";
export {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
} from "./format.ts";
export type { LoadResult } from "./load.ts";
export { resolveSeedPath } from "./path.ts";
export {
  type ContextMode,
  generateSessionContext,
  isFirstRun,
  loadSeed,
  loadSeedWithGit,
  type SessionContext,
  type SessionContextOptions,
  sessionStartHook,
} from "./session-context.ts";
export type * from "./types.ts";
