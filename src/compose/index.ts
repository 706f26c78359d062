/** `continuo/compose`: sections in, text out. */
export type { Budget } from "./budget.ts";
export { type ComposedPart, type Composition, compose, type DeliveredItem } from "./compose.ts";
export type { Room } from "./room.ts";
export { stripInjected } from "./strip.ts";
export { countTokens } from "./tokens.ts";
