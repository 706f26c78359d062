import type { Moment } from "./types.ts";
import type { FileAccess } from "./working-set.ts";

/** The files that a moment touches: those of its tool call, or those that its prompt mentions. */
export function touchedAt(moment: Moment): readonly FileAccess[] {
  if (moment.name === "tool") return moment.tool.files;
  return moment.name === "prompt" || moment.name === "start" ? (moment.mentioned ?? []) : [];
}
