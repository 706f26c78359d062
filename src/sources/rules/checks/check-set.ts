import { foldName } from "../matching/file-matching.ts";
import type { AnswerCheck, CallCheck, Check, CommandCheck, DoneCheck, EditCheck, Pattern } from "../rule.ts";

/** The parts of a rule that its checks need. */
export interface CheckedRule {
  readonly key: string;
  readonly name: string;
  readonly checks: readonly Check[];
  /** Whether the rule is the user's own. */
  readonly isUsers?: boolean;
}

/** A check with its rule. */
export interface RuleCheck<C extends Check = Check> {
  readonly rule: string;
  readonly name: string;
  /** `rule key#check id` */
  readonly ref: string;
  readonly check: C;
  /** Whether the rule is the user's own: then it has its own budget, which other rules cannot use up. */
  readonly isUsers: boolean;
}

/** Checks, prepared for judging. Patterns are compiled when they are first used. */
export interface CheckSet {
  readonly edits: readonly RuleCheck<EditCheck>[];
  /** Patterns of `files`, by bucket, each with the index of its check in `edits`. */
  readonly includes: ReadonlyMap<string, readonly (readonly [pattern: Pattern, at: number])[]>;
  /** Indexes of checks that apply to every file. */
  readonly everywhere: readonly number[];
  readonly commands: readonly RuleCheck<CommandCheck>[];
  readonly done: readonly RuleCheck<DoneCheck>[];
  readonly answer: readonly RuleCheck<AnswerCheck>[];
  readonly calls: readonly RuleCheck<CallCheck>[];
}

/** In a long-running process the rules have usually not changed since the last moment. */
let last: { readonly rules: readonly CheckedRule[]; readonly set: CheckSet } | undefined;

/**
 * If there are not enough steps for all checks, earlier checks get them first. The user's own rules have their own
 * steps.
 */
export function compileChecks(rules: readonly CheckedRule[]): CheckSet {
  if (last !== undefined && areSame(last.rules, rules)) return last.set;
  const set = compiled(rules);
  last = { rules: rules.map((rule) => ({ ...rule })), set };
  return set;
}

function areSame(a: readonly CheckedRule[], b: readonly CheckedRule[]): boolean {
  const isSame = (one: CheckedRule, i: number) =>
    one.checks === b[i]?.checks &&
    one.key === b[i]?.key &&
    one.name === b[i]?.name &&
    one.isUsers === b[i]?.isUsers;
  return a.length === b.length && a.every(isSame);
}

function compiled(rules: readonly CheckedRule[]): CheckSet {
  const set = {
    edits: [] as RuleCheck<EditCheck>[],
    includes: new Map<string, [Pattern, number][]>(),
    everywhere: [] as number[],
    commands: [] as RuleCheck<CommandCheck>[],
    done: [] as RuleCheck<DoneCheck>[],
    answer: [] as RuleCheck<AnswerCheck>[],
    calls: [] as RuleCheck<CallCheck>[],
  };
  for (const { key: rule, name, checks, isUsers = false } of rules) {
    for (const check of checks) {
      const by = { rule, name, ref: refOf(rule, check.id), isUsers };
      switch (check.on) {
        case "edits":
          addPatterns(check, set.edits.push({ ...by, check }) - 1, set);
          break;
        case "commands":
          set.commands.push({ ...by, check });
          break;
        case "done":
          set.done.push({ ...by, check });
          break;
        case "answer":
          set.answer.push({ ...by, check });
          break;
        case "calls":
          set.calls.push({ ...by, check });
          break;
        case "run":
          break; // not judged here: it runs a program
      }
    }
  }
  return set;
}

function addPatterns(
  { files: { include } }: EditCheck,
  at: number,
  { includes, everywhere }: { includes: Map<string, [Pattern, number][]>; everywhere: number[] },
): void {
  if (include.length === 0) everywhere.push(at);
  for (const pattern of include) {
    const bucket = foldName(pattern.bucket);
    const list = includes.get(bucket);
    if (list === undefined) includes.set(bucket, [[pattern, at]]);
    else list.push([pattern, at]);
  }
}

export function refOf(rule: string, check: string): string {
  return `${rule}#${check}`;
}
