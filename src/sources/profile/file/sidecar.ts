import { dirname, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { readText } from "../../../store/read-file.ts";
import { appendLines } from "../../../store/write-file.ts";
import type { Category, Learning, Proposal } from "../types.ts";

/**
 * What the seed itself cannot store, because pai-seed drops unknown keys below the top level. One JSON object per line,
 * append-only, and read in the order of `at`, so that two histories are merged by keeping the lines of both. Documented
 * in docs/design/learnings.md.
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

/** The origin of a proposal. */
export interface EvidenceRecord {
  readonly kind: "evidence";
  readonly at: string;
  /** The proposal's id. If it becomes a learning, the learning has the same id. */
  readonly id: string;
  readonly quote: string;
  readonly session: string;
  /** The turn in the session's transcript, and when it was said. */
  readonly turn?: string;
  readonly said?: string;
  readonly host?: string;
  /** The file and line that it was imported from, if not from a session: `CLAUDE.md, line 12`. */
  readonly file?: string;
  /** The project's tag, and its display name. */
  readonly project?: string;
  readonly projectName?: string;
  /** `project`: it applies only to that project. */
  readonly scope?: Scope;
  /** `model`: a model proposed it and gave the quote. */
  readonly by?: "model";
  /** The text of a rejected wish that it may repeat, so that the proposal is held back. */
  readonly similarTo?: string;
}

export type Scope = "project" | "everywhere";

/** One decision of the user, with what is needed to undo it. */
export type Step =
  | { readonly do: "accept"; readonly proposal: Proposal; readonly learning: Learning }
  | { readonly do: "reject"; readonly proposal: Proposal; readonly value: string }
  /** Revokes a rejection: the proposal is pending again. `rejectedAt` is needed to undo this. */
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
  /** The new learning `by` contradicts this one and replaced it. */
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

/** All valid records, ordered by time. Damaged lines are skipped, because each line is independent. */
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

/** Undefined for an unreadable line. */
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
    return undefined; // a partial line by a process that was killed, or a merge conflict marker
  }
}

function isStep(step: unknown): boolean {
  if (!isRecord(step) || typeof step["do"] !== "string") return false;
  return isRecord(step["proposal"]) || isRecord(step["learning"]);
}

/** Callers must hold the seed's lock. */
export function appendSidecar(seedPath: string, records: readonly SidecarRecord[]): void {
  if (records.length === 0) return;
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  appendLines(sidecarPath(seedPath), lines, { durable: true });
}
