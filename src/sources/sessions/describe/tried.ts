import { rmSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { isRecord } from "../../../base/settings.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { fileNameFor } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { redact } from "../../../store/redact.ts";
import type { RecordPlaces } from "../records/files.ts";
import type { SessionKey } from "../session.ts";

/** A model was asked to describe a session and did not: nobody but a person tries again before more was asked in it. */
export interface Tried {
  /** The last turn of what was sent. */
  readonly turn: string;
  readonly at: string;
  readonly error: string;
}

export function readTried(places: RecordPlaces, key: SessionKey): Tried | undefined {
  try {
    const value: unknown = JSON.parse(readText(triedPath(places, key), { maxBytes: 1024 * 1024 }));
    return isRecord(value) && typeof value["turn"] === "string" ? (value as unknown as Tried) : undefined;
  } catch (error) {
    // A damaged one costs one more try at worst.
    if (error instanceof SyntaxError || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function rememberTried(
  places: RecordPlaces,
  key: SessionKey,
  turn: string,
  error: unknown,
  now: number,
): void {
  const tried: Tried = {
    turn,
    at: new Date(now).toISOString(),
    error: redact(describeError(error).message).slice(0, 500),
  };
  writeFileAtomic(triedPath(places, key), `${JSON.stringify(tried)}\n`, { durable: false });
}

export function forgetTried(places: RecordPlaces, key: SessionKey): void {
  rmSync(triedPath(places, key), { force: true });
}

function triedPath({ home }: RecordPlaces, { host, id }: SessionKey): string {
  return join(home.root, "sessions-meta", host, `${fileNameFor(id)}.tried`);
}
