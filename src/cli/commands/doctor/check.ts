import type { Finding } from "../../../hosts/port/installer.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";

export interface NamedFinding extends Finding {
  readonly what: string;
  /** What `--fix` does about it; missing where only the user can decide. */
  readonly fix?: Fix;
  /** Found by another process, which cannot hand over its fix. */
  readonly canFix?: true;
  /** When a past failure happened last. */
  readonly at?: string;
  /** For the summary line. */
  readonly counts?: Counts;
}

/** Safe: it loses nothing, and what it replaces is kept. */
export interface Fix {
  /** Asked first, if what is fixed is the user's own text. */
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

/** What was found, one after the other. */
export type Findings = Iterable<NamedFinding> | AsyncIterable<NamedFinding>;

/** Looks at something in Continuo's folder. */
export type Check = (world: World, home: Home) => Findings | Promise<Findings>;

/** Works without that folder too: none can be found if there is no home. */
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

/** How the user has it fixed. */
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

export function isFixable({ fix, canFix }: NamedFinding): boolean {
  return fix !== undefined || canFix === true;
}

/**
 * The command that fixes something, by convention at the end of its text: `run: continuo sync`, or `to list all: continuo
 * sync`. It is shown as something to type, so a text that only mentions a command has none.
 */
export function commandIn(mend: string): string | undefined {
  return /(?:^|: )((?:continuo|claude) [\w ./@~=-]+)$/.exec(mend)?.[1];
}
