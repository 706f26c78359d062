import { count } from "../../../base/when.ts";
import type { Finding } from "../../../hosts/port/installer.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";

export interface NamedFinding extends Finding {
  readonly what: string;
  /** How `--fix` fixes it; absent if only the user can decide. */
  readonly fix?: Fix;
  /** Set if it was found by another process, which cannot pass on its fix. */
  readonly canFix?: true;
  /** When a past failure last happened. */
  readonly at?: string;
  /** For the summary line. */
  readonly counts?: Counts;
}

/** Safe: nothing is lost, and what is replaced is kept. */
export interface Fix {
  /** Asked first, if the fix changes the user's own text. */
  readonly question?: string;
  /** Returns what was done, in words. Throws if it could not. */
  run(): string | Promise<string>;
}

export interface Counts {
  readonly agents?: number;
  readonly rules?: number;
  readonly notes?: number;
  readonly sessions?: number;
}

/** The findings, one after the other. */
export type Findings = Iterable<NamedFinding> | AsyncIterable<NamedFinding>;

/** Checks something in Continuo's folder. */
export type Check = (world: World, home: Home) => Findings | Promise<Findings>;

/** Also works without that folder. */
export type CheckAnywhere = (world: World, home: Home | undefined) => Findings | Promise<Findings>;

export function ok(what: string, detail: string, counts?: Counts): NamedFinding {
  return { what, status: "ok", detail, mend: "", counts };
}

export function warn(what: string, detail: string, mend: string): NamedFinding {
  return { what, status: "warn", detail, mend };
}

export function fail(what: string, detail: string, mend: string): NamedFinding {
  return { what, status: "fail", detail, mend };
}

export const DISK_WAS_FULL = "nothing needs to be done; the disk was probably full once";

/** How the user gets it fixed. */
const FIX = "run: continuo doctor --fix";

export function fixable(
  status: "warn" | "fail",
  what: string,
  detail: string,
  run: Fix["run"],
  mend = FIX,
): NamedFinding {
  return { what, status, detail, mend, fix: { run } };
}

/** `2 checks, 1 question`: those that there are. */
export function countsOf(...all: readonly (readonly [many: number, one: string])[]): string {
  return all.flatMap(([many, one]) => (many === 0 ? [] : [count(many, one)])).join(", ");
}

export function isFixable({ fix, canFix }: NamedFinding): boolean {
  return fix !== undefined || canFix === true;
}

/**
 * The command that fixes something, by convention at the end of the text: `run: continuo sync`, or `to list all:
 * continuo sync`. It is shown as something to type. Undefined for a text that only mentions a command.
 */
export function commandIn(mend: string): string | undefined {
  return /(?:^|: )((?:continuo|claude) [\w ./@~=-]+)$/.exec(mend)?.[1];
}
