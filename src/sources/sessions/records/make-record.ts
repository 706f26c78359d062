import { redact } from "../../../store/redact.ts";
import type { Passage, PastSession } from "../session.ts";
import { outlineOf } from "./outline.ts";
import { EXTRACTED, type OwnRecord, type SessionRecord } from "./record.ts";
import { tagsOf } from "./tags.ts";
import { descriptionOf, summaryOf } from "./texts.ts";

export interface Material {
  readonly session: PastSession;
  readonly passages: readonly Passage[];
  /** The last one first. */
  readonly edited: readonly string[];
  readonly lastTurn: string;
  readonly parentFile: string | undefined;
}

/** A record in the session's own words. `before` is the one that it replaces. */
export function makeRecord(
  { session, passages, edited, lastTurn, parentFile }: Material,
  before: SessionRecord | undefined,
  now: number,
): OwnRecord {
  const outline = outlineOf(passages, edited);
  const at = new Date(now).toISOString();
  return {
    schemaVersion: 1,
    sessionId: session.id,
    sessionFile: session.path,
    ...(parentFile === undefined ? {} : { parentSessionFile: parentFile }),
    name: session.name,
    description: redact(descriptionOf(session, outline)),
    summary: redact(summaryOf(outline)) || "Nothing was said.",
    tags: tagsOf(session, passages, edited),
    cwd: session.cwd ?? "",
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    model: EXTRACTED,
    lastIndexedLeafId: lastTurn,
    continuo: {
      host: session.host,
      namedBy: session.namedBy,
      ...(session.branch === undefined ? {} : { branch: session.branch }),
      files: edited.slice(0, 50),
    },
  };
}
