import type { Edit } from "../../../../src/moments/tool-use.ts";
import type { Breach, Judged } from "../../../../src/sources/rules/checks/breach.ts";
import { type CheckSet, compileChecks } from "../../../../src/sources/rules/checks/check-set.ts";
import { type CommandsSoFar, NOTHING_SO_FAR } from "../../../../src/sources/rules/checks/commands-so-far.ts";
import type { JudgeOptions } from "../../../../src/sources/rules/checks/findings.ts";
import { judgeCall, judgeStop } from "../../../../src/sources/rules/checks/judge.ts";
import { readChecks } from "../../../../src/sources/rules/parsing/read-checks.ts";

/** The checks of one rule, `r.md`, which has no globs. */
export async function setOf(checks: Record<string, unknown>, guard?: unknown): Promise<CheckSet> {
  const front = { checks, ...(guard !== undefined && { guard }) };
  const read = await readChecks(front, { name: "r", body: "", files: { include: [], exclude: [] } });
  if (read.lints.length > 0) throw new Error(JSON.stringify(read.lints));
  return compileChecks([{ key: "r.md", name: "r", checks: read.checks }]);
}

/** Of an edit that adds lines somewhere in `src/a.ts`. */
export function judgeEdit(
  set: CheckSet,
  text: string,
  edit: Partial<Edit> = {},
  options?: JudgeOptions,
): Judged {
  const whole: Edit = { path: "src/a.ts", kind: "part", hunks: [{ text }], ...edit };
  return judgeEditsOf(set, [whole], options);
}

export function judgeEditsOf(set: CheckSet, edits: readonly Edit[], options?: JudgeOptions): Judged {
  return judgeCall(set, { name: "Edit", input: {}, edits: () => edits }, NOTHING_SO_FAR, options);
}

/** The commands that break a check. */
export function brokenCommands(
  set: CheckSet,
  command: string,
  soFar: CommandsSoFar = NOTHING_SO_FAR,
): string[] {
  return texts(judgeCall(set, { name: "Bash", input: { command }, command }, soFar));
}

export function brokenLines(set: CheckSet, answer: string): string[] {
  return texts(judgeStop(set, { answer, soFar: NOTHING_SO_FAR }));
}

export function texts({ breaches }: { readonly breaches: readonly Breach[] }): string[] {
  return breaches.map(({ text }) => text);
}
