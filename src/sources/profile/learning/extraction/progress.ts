import { isRecord } from "../../../../base/json.ts";
import type { Moment } from "../../../../moments/types.ts";
import { statFile } from "../../../../store/read-file.ts";

/** What is stored about a session: where to continue reading, and how many proposals came from it. */
export interface Progress {
  readonly resumeAt: number;
  /** Whether `resumeAt` is inside a line that is too long. */
  readonly isWithin?: boolean;
  readonly proposed: number;
  /** Whether it is a subagent's session, which only its transcript shows. Nothing is extracted from it. */
  readonly isChild?: boolean;
}

export function readProgress(memo: unknown): Progress {
  const kept = isRecord(memo) ? memo["extraction"] : undefined;
  const count = (key: string): number => {
    const value = isRecord(kept) ? kept[key] : undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  const isChild = isRecord(kept) && kept["isChild"] === true;
  const isWithin = isRecord(kept) && kept["isWithin"] === true;
  return {
    resumeAt: count("resumeAt"),
    ...(isWithin && { isWithin }),
    proposed: count("proposed"),
    ...(isChild ? { isChild } : {}),
  };
}

/** Also counts what another process proposed for this session meanwhile. */
export function withProgress(
  memo: unknown,
  before: Progress,
  after: Progress,
): Readonly<Record<string, unknown>> {
  const now = readProgress(memo);
  const proposed = now.proposed + after.proposed - before.proposed;
  return { ...(isRecord(memo) ? memo : {}), extraction: { ...after, proposed } };
}

/**
 * Whether there may be something new to read. Loading the patterns of all languages takes tens of milliseconds, which
 * is avoided if the transcript is missing or unchanged.
 */
export function hasNews(
  { session, transcript }: Pick<Moment, "session" | "transcript">,
  { resumeAt, isChild }: Progress,
  isOwnProcess: boolean,
): boolean {
  if (isChild || session.parent !== undefined) return false;
  // OpenCode, which runs Continuo in its own process, has a database and names no transcript.
  if (transcript === undefined) return !isOwnProcess;
  return (statFile(transcript)?.size ?? resumeAt) !== resumeAt;
}
