/** `continuo/compose`: sections in, text out. */
export type { Budget } from "../../compose/budget.ts";
export { type ComposedPart, type Composition, compose, type DeliveredItem } from "../../compose/compose.ts";
export type { Room } from "../../compose/room.ts";
export { stripInjected } from "../../compose/strip.ts";
export { countTokens } from "../../compose/tokens.ts";
