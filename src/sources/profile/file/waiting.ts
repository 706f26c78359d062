import { rmSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { homeAt } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { appendLines, writeFileAtomic } from "../../../store/write-file.ts";
import { WAITING_FILE } from "../settings.ts";
import type { Proposal } from "../types.ts";
import { isProposal } from "./schema.ts";
import { parseSidecarLine, type SidecarRecord } from "./sidecar.ts";

/**
 * Proposals for a user who has no seed yet, in Continuo's home. One JSON object per line, append-only: the proposals,
 * and the records that a seed has in its sidecar (evidence, rejections, undone decisions).
 */
interface ProposedRecord {
  readonly kind: "proposed";
  readonly at: string;
  readonly proposal: Proposal;
}

export type WaitingRecord = ProposedRecord | SidecarRecord;

export interface Waiting {
  readonly proposals: readonly Proposal[];
  readonly records: readonly SidecarRecord[];
  /** Unreadable lines. They stay in the file, and `doctor` reports them. */
  readonly damaged: readonly string[];
}

/** Many times the size of 50 pending proposals and years of rejections. */
const MAX_BYTES = 8 * 1024 * 1024;

export function waitingPath(home: string): string {
  return join(home, WAITING_FILE);
}

/** Held while the file is read and changed. If the seed's lock is needed too, it must be taken second. */
export function waitingLock(home: string): string {
  return join(homeAt(home).locks, "proposals");
}

export function readWaiting(path: string): Waiting {
  let text: string;
  try {
    text = readText(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { proposals: [], records: [], damaged: [] };
    throw unreadable(path, code, error);
  }
  const proposals: Proposal[] = [];
  const records: SidecarRecord[] = [];
  const damaged: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const proposal = parseProposed(line);
    const record = proposal === undefined ? parseSidecarLine(line) : undefined;
    if (proposal !== undefined) proposals.push(proposal);
    else if (record !== undefined) records.push(record);
    else damaged.push(line);
  }
  return { proposals, records, damaged };
}

function unreadable(path: string, code: string | undefined, cause: unknown): ContinuoError {
  const why =
    code === "too-large"
      ? `has more than ${MAX_BYTES} bytes`
      : code === "not-a-file"
        ? "is not a file"
        : `cannot be read (${code ?? "unknown reason"})`;
  return new ContinuoError("proposals-unreadable", `${path} ${why}`, {
    hint: "make it readable, or move it away: then suggestions are collected in a new file",
    cause,
  });
}

function parseProposed(line: string): Proposal | undefined {
  try {
    const value: unknown = parseBounded(line);
    if (!isRecord(value) || value["kind"] !== "proposed") return undefined;
    const { proposal } = value;
    return isProposal(proposal) ? proposal : undefined;
  } catch {
    return undefined; // an incomplete line, which is counted as damaged
  }
}

/** Callers must hold the lock. */
export function appendWaiting(path: string, home: string, records: readonly WaitingRecord[]): void {
  if (records.length === 0) return;
  ensureFolder(home);
  appendLines(path, records.map((one) => `${JSON.stringify(one)}\n`).join(""), { durable: true });
}

/**
 * Call it after everything was moved to the seed: deletes the file, except for damaged lines. Callers must hold the
 * lock.
 */
export function clearWaiting(path: string, { damaged }: Waiting): void {
  if (damaged.length === 0) rmSync(path, { force: true });
  else writeFileAtomic(path, damaged.map((line) => `${line}\n`).join(""));
}
