/** `continuo/context`: what a session works with, kept and carried into its resume. */

export { handleSessionRequest } from "./api.ts";
export { type ContextEvent, subscribe, toCacoEvent } from "./events.ts";
export { keepEvents } from "./keep-events.ts";
export type { SessionMeta } from "./meta.ts";
export { formatContextForResume } from "./resume-text.ts";
export { type Context, type MergeMode, mergeContextSet } from "./sets.ts";
export { CONTEXT_TOOLS } from "./tools.ts";
