import { isRecord } from "../../base/settings.ts";
import type { CustomMessage } from "./api.ts";

/** The type of every message of ours in pi's session files. */
export const OURS = "continuo";

/**
 * What a branch of a session says about itself. pi keeps our messages in the session's file, so what the model has
 * already been told is read from there: it is right also after a restart, a fork or a step back in pi's tree.
 */
export interface History {
  /** How many compactions lie on the branch: the name of its current epoch. */
  readonly compactions: number;
  /** When the last of them happened. */
  readonly compactedAt?: string;
  /** Somebody has already written something. */
  readonly hasPrompts: boolean;
  /** What we delivered in the current epoch. */
  readonly texts: readonly string[];
}

export function readHistory(branch: readonly unknown[]): History {
  const entries = branch.filter(isRecord);
  const compacted = entries.filter((entry) => entry["type"] === "compaction");
  const at = compacted.at(-1)?.["timestamp"];
  return {
    compactions: compacted.length,
    ...(typeof at === "string" ? { compactedAt: at } : {}),
    hasPrompts: entries.some((entry) => isRecord(entry["message"]) && entry["message"]["role"] === "user"),
    texts: entries.filter((entry) => epochOf(entry) === compacted.length).flatMap(textsOf),
  };
}

/** A message of ours; not shown to the user, who would read the same rules at every start. */
export function ourMessage(texts: readonly string[], compactions: number): CustomMessage {
  return {
    customType: OURS,
    content: texts.map((text) => ({ type: "text", text })),
    display: false,
    details: { compactions },
  };
}

/**
 * A compaction keeps the last messages as they are, and ours may be among them. Once the new epoch has its own, the
 * old ones go. It depends on the branch alone, so consecutive requests of an epoch leave out the same.
 */
export function withoutOldEpochs(messages: readonly unknown[], compactions: number): unknown[] | undefined {
  const epochs = messages.map(epochOf);
  if (!epochs.includes(compactions)) return undefined;
  const kept = messages.filter((_, i) => epochs[i] === undefined || epochs[i] === compactions);
  return kept.length === messages.length ? undefined : kept;
}

export function isOurs(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && value["customType"] === OURS;
}

/** Of an entry in the file or a message on its way to the model: both carry the same fields. */
function epochOf(value: unknown): number | undefined {
  if (!isOurs(value) || !isRecord(value["details"])) return undefined;
  const { compactions } = value["details"] as { compactions?: unknown };
  return typeof compactions === "number" ? compactions : undefined;
}

function textsOf(entry: Record<string, unknown>): string[] {
  const content = Array.isArray(entry["content"]) ? (entry["content"] as unknown[]) : [];
  return content.flatMap((block) =>
    isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}
