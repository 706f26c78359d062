import { dirname, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import { appendLines } from "../../../store/append-file.ts";
import { readText } from "../../../store/read-file.ts";
import type { Category, Learning, Proposal } from "../types.ts";

/**
 * What the seed itself has no room for: pai-seed drops keys that it does not know below the top level. One JSON object a
 * line, only ever appended, and read in the order of `at`, so that two histories merge by keeping the lines of both.
 * docs/seed.md documents it.
 */
export type SidecarRecord = DecidedRecord | UndoneRecord | EvidenceRecord;

export interface DecidedRecord {
  readonly kind: "decided";
  readonly at: string;
  /** What was decided at once is undone at once. */
  readonly batch: string;
  readonly steps: readonly Step[];
}

export interface UndoneRecord {
  readonly kind: "undone";
  readonly at: string;
  readonly batch: string;
}

/** Where a proposal was heard. */
export interface EvidenceRecord {
  readonly kind: "evidence";
  readonly at: string;
  /** The proposal's id, which is also that of the learning that it may become. */
  readonly id: string;
  readonly quote: string;
  readonly session: string;
  /** The turn of the session's transcript, and when it was said. */
  readonly turn?: string;
  readonly said?: string;
  readonly host?: string;
  readonly project?: string;
}

/** One thing that a human decided, with what was there before. */
export type Step =
  | { readonly do: "accept"; readonly proposal: Proposal; readonly learning: Learning }
  | { readonly do: "reject"; readonly proposal: Proposal; readonly value: string }
  | { readonly do: "learn"; readonly category: Category; readonly learning: Learning; readonly value: string }
  | {
      readonly do: "forget";
      readonly category: Category;
      readonly learning: Learning;
      readonly value: string;
    }
  /** `by` says the contrary and took its place. */
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

/** Decades of decisions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** All that can be read, in the order of their times. Damaged lines are passed over: each stands for itself. */
export function readSidecar(seedPath: string): SidecarRecord[] {
  let text: string;
  try {
    text = readText(sidecarPath(seedPath), { maxBytes: MAX_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
  const records = text.split("\n").flatMap((line) => parse(line) ?? []);
  return records.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function parse(line: string): SidecarRecord | undefined {
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
    return undefined; // half a line of a process that was killed, or a mark of a merge
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

/** The decisions that hold, oldest first. */
export function standing(records: readonly SidecarRecord[]): DecidedRecord[] {
  const undone = new Set(records.flatMap((one) => (one.kind === "undone" ? [one.batch] : [])));
  return records.filter((one): one is DecidedRecord => one.kind === "decided" && !undone.has(one.batch));
}

/**
 * Values that a human turned down, or had forgotten: they are never proposed again. Learning one after all takes it off
 * the list.
 */
export function refusedValues(records: readonly SidecarRecord[]): Set<string> {
  const refused = new Set<string>();
  for (const { steps } of standing(records)) {
    for (const step of steps) {
      if (step.do === "reject" || step.do === "forget") refused.add(step.value);
      else if (step.do === "learn") refused.delete(step.value);
    }
  }
  return refused;
}

/** What was proposed and accepted, as it was proposed. */
export function acceptedContents(records: readonly SidecarRecord[]): string[] {
  return standing(records).flatMap(({ steps }) =>
    steps.flatMap((step) => (step.do === "accept" ? [step.proposal.content] : [])),
  );
}

/** Where each proposal was heard, by its id. */
export function evidenceById(records: readonly SidecarRecord[]): Map<string, EvidenceRecord> {
  return new Map(records.flatMap((one) => (one.kind === "evidence" ? [[one.id, one]] : [])));
}
