import { createHash } from "node:crypto";
import { join } from "node:path";
import { readText } from "../../src/store/read-file.ts";

/** How a reader judged the transcripts of the benchmark data, check by check, before any judge ran. See labelled/README.md. */
export interface Labels {
  readonly sessions: readonly LabelledSession[];
  readonly labels: readonly Label[];
}

export interface LabelledSession {
  readonly file: string;
  readonly host: "claude-code" | "pi";
  /** Patterns may be changed by what `choose` shows. `report` is for the figures. */
  readonly half: Half;
  /** How many calls edit a file or run a command, and how many of these failed or were never answered. */
  readonly edits: number;
  readonly commands: number;
  readonly failed: number;
  /** The lines of the file with an answer after which the agent went idle by itself. */
  readonly stops: readonly number[];
}

export type Half = "choose" | "report";

/** Everything that was read and has no label is no breach. */
export interface Label {
  readonly file: string;
  /** The call, or the line of the stop, that it is about. */
  readonly call?: string;
  readonly stop?: number;
  /** The name of the rule. */
  readonly check: string;
  /** `doubtful`: readers could disagree, for the reason in `why`. Counted apart. */
  readonly label: "breach" | "doubtful";
  /** The hash of the offending line; absent if something is missing, or if the call as a whole is the breach. */
  readonly line?: string;
  readonly why?: string;
}

export function readLabels(): Labels {
  return JSON.parse(
    readText(join(import.meta.dirname, "labels.json"), { maxBytes: 4 * 1024 * 1024 }),
  ) as Labels;
}

/** The texts belong to others and are not published. */
export const hashOf = (line: string): string =>
  createHash("sha256").update(line.trim()).digest("hex").slice(0, 12);

/** The same for a label and for the breach that it is about. */
export const keyOf = (one: Pick<Label, "file" | "call" | "stop" | "check" | "line">): string =>
  [one.check, one.file, one.call ?? `line ${one.stop}`, one.line ?? ""].join(" ");
