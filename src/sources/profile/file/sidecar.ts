import { dirname, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { readText } from "../../../store/read-file.ts";
import { appendLines } from "../../../store/write-file.ts";
import type { Category, Learning, Proposal } from "../types.ts";

/**
 * What the seed itself cannot hold: pai-seed drops keys that it does not know below the top level. One JSON object per
 * line, only ever appended, and read in the order of `at`, so that two histories merge by keeping the lines of both.
 * Documented in docs/design/learnings.md.
 */
export type SidecarRecord = DecidedRecord | UndoneRecord | EvidenceRecord;

export interface DecidedRecord {
  readonly kind: "decided";
  readonly at: string;
  /** Decisions of one batch are undone together. */
  readonly batch: string;
  readonly steps: readonly Step[];
}

export interface UndoneRecord {
  readonly kind: "undone";
  readonly at: string;
  readonly batch: string;
}

/** Where a proposal comes from. */
export interface EvidenceRecord {
  readonly kind: "evidence";
  readonly at: string;
  /** The proposal's id. The learning that it may become has the same one. */
  readonly id: string;
  readonly quote: string;
  readonly session: string;
  /** The turn of the session's transcript, and when it was said. */
  readonly turn?: string;
  readonly said?: string;
  readonly host?: string;
  /** The file that it was imported from, with the line: `CLAUDE.md, line 12`. Then nobody said it in a session. */
  readonly file?: string;
  /** The project's tag, and what people call it. */
  readonly project?: string;
  readonly projectName?: string;
  /** `project`: it is meant for that project only. */
  readonly scope?: Scope;
  /** `model`: a model proposed it and gave the quote. */
  readonly by?: "model";
  /** The text of a rejected wish that it may repeat: the proposal is held back. */
  readonly similarTo?: string;
}

export type Scope = "project" | "everywhere";

/** One decision of a human, with what is needed to undo it. */
export type Step =
  | { readonly do: "accept"; readonly proposal: Proposal; readonly learning: Learning }
  | { readonly do: "reject"; readonly proposal: Proposal; readonly value: string }
  /** A rejected wish may be suggested again: its proposal is pending again. `rejectedAt` is for undoing this. */
  | {
      readonly do: "allow";
      readonly proposal: Proposal;
      readonly value: string;
      readonly rejectedAt: string;
    }
  | { readonly do: "learn"; readonly category: Category; readonly learning: Learning; readonly value: string }
  | {
      readonly do: "forget";
      readonly category: Category;
      readonly learning: Learning;
      readonly value: string;
    }
  /** `by` contradicts the learning and replaced it. */
  | {
      readonly do: "supersede";
      readonly category: Category;
      readonly learning: Learning;
      readonly by: string;
    }
  | { readonly do: "refresh"; readonly category: Category; readonly learning: Learning };

export function sidecarPath(seedPath: string): string {
  return join(dirname(seedPath), "seed.continuo.jsonl");
}

/** Enough for decades of decisions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** All valid records, ordered by time. Damaged lines are skipped: each line is complete by itself. */
export function readSidecar(seedPath: string): SidecarRecord[] {
  let text: string;
  try {
    text = readText(sidecarPath(seedPath), { maxBytes: MAX_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
  const records = text.split("\n").flatMap((line) => parseSidecarLine(line) ?? []);
  return inOrder(records);
}

export function inOrder(records: readonly SidecarRecord[]): SidecarRecord[] {
  return records.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** Undefined for a line that cannot be read. */
export function parseSidecarLine(line: string): SidecarRecord | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = parseBounded(line);
    if (!isRecord(value) || typeof value["at"] !== "string") return undefined;
    if (value["kind"] === "decided") {
      const isWhole = typeof value["batch"] === "string" && Array.isArray(value["steps"]);
      return isWhole && (value["steps"] as unknown[]).every(isStep)
        ? (value as unknown as DecidedRecord)
        : undefined;
    }
    if (value["kind"] === "undone" && typeof value["batch"] === "string")
      return value as unknown as UndoneRecord;
    const isEvidence = value["kind"] === "evidence" && typeof value["id"] === "string";
    return isEvidence && typeof value["quote"] === "string"
      ? (value as unknown as EvidenceRecord)
      : undefined;
  } catch {
    return undefined; // a partial line of a process that was killed, or a merge conflict marker
  }
}

function isStep(step: unknown): boolean {
  if (!isRecord(step) || typeof step["do"] !== "string") return false;
  return isRecord(step["proposal"]) || isRecord(step["learning"]);
}

/** Callers hold the seed's lock. */
export function appendSidecar(seedPath: string, records: readonly SidecarRecord[]): void {
  if (records.length === 0) return;
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  appendLines(sidecarPath(seedPath), lines, { durable: true });
}
