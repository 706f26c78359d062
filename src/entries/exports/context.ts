/** `continuo/context`: what a session works with, kept for when it is resumed. */

export type { SessionMeta } from "../../moments/state/session-meta.ts";
export { handleSessionRequest } from "../../sources/sets/api.ts";
export { formatContextForResume } from "../../sources/sets/card.ts";
export { type ContextEvent, keepEvents, subscribe, toCacoEvent } from "../../sources/sets/events.ts";
export { type Context, type MergeMode, mergeContextSet } from "../../sources/sets/sets.ts";
export { CONTEXT_TOOLS } from "../../sources/sets/tools.ts";
