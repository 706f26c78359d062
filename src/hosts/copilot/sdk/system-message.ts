import type { SystemMessage } from "./api.ts";

/**
 * A constant: the system message of a resume replaces the one before it, and a byte that differs would cost the whole
 * cached prefix.
 */
export const SYSTEM_MESSAGE =
  "Blocks <continuo> and <continuo-addition> come from Continuo, which keeps this session's thread for the user. " +
  "Each section says whether it is to be followed or is only data. A later block adds to the earlier ones, and wins where they differ.";

/** Ours after the program's own, in whatever way that one goes into the host's. */
export function withOurs(theirs: SystemMessage | undefined): SystemMessage {
  const parts = [theirs?.content, SYSTEM_MESSAGE].filter((part) => part !== undefined && part !== "");
  return { ...theirs, content: parts.join("\n\n") };
}
