/** `continuo/context`: what a session works with, kept and carried into its resume. */
export { type ContextEvent, subscribe, toCacoEvent } from "./events.ts";
export type { SessionMeta } from "./meta.ts";
export { formatContextForResume } from "./resume-text.ts";
export { type Context, type MergeMode, mergeContextSet } from "./sets.ts";
