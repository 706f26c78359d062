import { foldName } from "../matching/file-matching.ts";
import type { Pattern } from "../rule.ts";
import type { AnswerCheck, CallCheck, Check, CommandCheck, DoneCheck, EditCheck } from "./check.ts";

/** A rule as far as its checks need it. */
export interface CheckedRule {
  readonly key: string;
  readonly name: string;
  readonly checks: readonly Check[];
}

/** A check with the rule that it belongs to. */
export interface RuleCheck<C extends Check = Check> {
  readonly rule: string;
  readonly name: string;
  /** `rule key#check id` */
  readonly ref: string;
  readonly check: C;
}

/** Checks in the form in which they are judged. Patterns are compiled when something is first searched for them. */
export interface CheckSet {
  readonly edits: readonly RuleCheck<EditCheck>[];
  /** Patterns of `files`, by bucket, each with the index of its check in `edits`. */
  readonly includes: ReadonlyMap<string, readonly (readonly [pattern: Pattern, at: number])[]>;
  /** Indexes of those that look at every file. */
  readonly everywhere: readonly number[];
  readonly commands: readonly RuleCheck<CommandCheck>[];
  readonly done: readonly RuleCheck<DoneCheck>[];
  readonly answer: readonly RuleCheck<AnswerCheck>[];
  readonly calls: readonly RuleCheck<CallCheck>[];
}

/**
 * Checks that come first get the steps first, if there are not enough for all: pass the user's own rules before those of a
 * project.
 */
export function compileChecks(rules: readonly CheckedRule[]): CheckSet {
  const edits: RuleCheck<EditCheck>[] = [];
  const commands: RuleCheck<CommandCheck>[] = [];
  const done: RuleCheck<DoneCheck>[] = [];
  const answer: RuleCheck<AnswerCheck>[] = [];
  const calls: RuleCheck<CallCheck>[] = [];
  const includes = new Map<string, [Pattern, number][]>();
  const everywhere: number[] = [];
  for (const { key, name, checks } of rules) {
    for (const check of checks) {
      const common = { rule: key, name, ref: refOf(key, check.id) };
      switch (check.on) {
        case "edits": {
          const at = edits.push({ ...common, check }) - 1;
          if (check.files.include.length === 0) everywhere.push(at);
          for (const pattern of check.files.include) {
            const bucket = foldName(pattern.bucket);
            const list = includes.get(bucket);
            if (list === undefined) includes.set(bucket, [[pattern, at]]);
            else list.push([pattern, at]);
          }
          break;
        }
        case "commands":
          commands.push({ ...common, check });
          break;
        case "done":
          done.push({ ...common, check });
          break;
        case "answer":
          answer.push({ ...common, check });
          break;
        case "calls":
          calls.push({ ...common, check });
          break;
        case "run":
          break; // is not judged: a program is run
      }
    }
  }
  return { edits, includes, everywhere, commands, done, answer, calls };
}

export function refOf(rule: string, check: string): string {
  return `${rule}#${check}`;
}
