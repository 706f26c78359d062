/** `continuo/context`: what a session works with, kept and carried into its resume. */

export type { SessionMeta } from "../../moments/state/session-meta.ts";
export { handleSessionRequest } from "../../sources/context/api.ts";
export { formatContextForResume } from "../../sources/context/card.ts";
export { type ContextEvent, keepEvents, subscribe, toCacoEvent } from "../../sources/context/events.ts";
export { type Context, type MergeMode, mergeContextSet } from "../../sources/context/sets.ts";
export { CONTEXT_TOOLS } from "../../sources/context/tools.ts";
