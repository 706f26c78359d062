/** `continuo/seed`: who the user is, what was learned, and what waits for their decision. */

export type { SeedError } from "../../sources/seed/file/checks.ts";
export {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
} from "../../sources/seed/format.ts";
export {
  type ContextMode,
  generateSessionContext,
  isFirstRun,
  type LoadResult,
  loadSeed,
  loadSeedWithGit,
  type SessionContext,
  type SessionContextOptions,
  sessionStartHook,
} from "../../sources/seed/session-context.ts";
export { resolveSeedPath } from "../../sources/seed/settings.ts";
export type * from "../../sources/seed/types.ts";
