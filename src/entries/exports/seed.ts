/** `continuo/seed`: who the user is, what was learned, and which suggestions are pending. */

export type { SeedError } from "../../sources/profile/file/checks.ts";
export {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
} from "../../sources/profile/format.ts";
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
} from "../../sources/profile/session-context.ts";
export { resolveSeedPath } from "../../sources/profile/settings.ts";
export type * from "../../sources/profile/types.ts";
