import type { Edit } from "../../../moments/tool-use.ts";
import type { ToolMoment } from "../../../moments/types.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import type { Breach, Judged } from "./breach.ts";
import type { Checked } from "./checked.ts";
import { after } from "./commands-so-far.ts";
import { withCommittedFiles, withLineNumbers, withRealPaths } from "./file-before.ts";
import { stepsForCall } from "./findings.ts";
import { judgeCall } from "./judge.ts";
import { type CheckMemo, NOTHING_SEEN } from "./memo.ts";
import { type PersonContext, tellPerson } from "./person.ts";
import { reactionAfter } from "./reactions.ts";
import { afterDecision, decide, type Happened } from "./reminders.ts";
import { checkFinder, checkSetOf, soFarOf } from "./rule-checks.ts";
import { brokenSection } from "./section.ts";

export interface CheckContext extends Omit<PersonContext, "checkOf" | "project"> {
  /** Continuo's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the user trusts the project. */
  readonly isTrusted: () => boolean;
  /** Whether the time for a project's checks is used up. */
  readonly isOver: () => boolean;
}

interface CallContext extends CheckContext {
  /** Whether the session had already used a file before this call. */
  readonly wasUsed: (path: string) => boolean;
  /** How many milliseconds are left until an answer is too late. */
  readonly timeLeft: () => number;
}

/** Judges a completed call. Most calls break nothing, and then nothing is read. */
export async function checkCall(
  moment: ToolMoment,
  memo: CheckMemo = NOTHING_SEEN,
  rules: readonly CatalogRule[],
  context: CallContext,
): Promise<Checked> {
  const { tool, project } = moment;
  const set = checkSetOf(rules);
  const soFar = soFarOf(memo);
  const steps = stepsForCall();
  const isMoved = after(soFar, set, tool, steps) !== soFar;
  const move = (newest: CheckMemo): CheckMemo =>
    isMoved ? { ...newest, soFar: after(soFarOf(newest), set, tool) } : newest;
  if (tool.hasFailed === true) return isMoved ? { change: move } : {};
  const realEdits = () => withRealPaths(tool.edits?.() ?? [], project.root);
  const mayBeNew = (path: string) => !context.wasUsed(path);
  const judge = (edits?: readonly Edit[]) =>
    judgeCall(set, { ...tool, edits: () => edits ?? realEdits() }, soFar, {
      mayBeNew,
      isOver: context.isOver,
      ...(edits === undefined && { steps }),
    });
  const judged = await lookCloser(judge(), judge, moment, context);
  const isSilent = judged.breaches.length === 0;
  const edits = isSilent && memo.places.length === 0 ? [] : (tool.edits?.() ?? []);
  if (isSilent && judged.occasions.length === 0 && edits.length === 0) return isMoved ? { change: move } : {};
  const checkOf = checkFinder(rules);
  const happened: Happened = {
    judged,
    reactionTo: reactionAfter,
    checkOf,
    tense: "breaks",
    tool: tool.name,
    edits,
  };
  const decision = decide(memo, happened);
  return {
    sections: brokenSection(decision.lines),
    notices: await tellPerson(decision, { ...context, project, checkOf }),
    ledgerEntries: () => decision.entries,
    change: (newest) => move(afterDecision(newest, happened, decision)),
  };
}

/** If something was found: removes lines and files that existed before, and adds line numbers. */
async function lookCloser(
  judged: Judged,
  judge: (edits: readonly Edit[]) => Judged,
  { tool, project: { root } }: ToolMoment,
  { env, timeLeft }: CallContext,
): Promise<Judged> {
  const edits = judged.breaches.some((one) => one.mayBeOld === true)
    ? await withCommittedFiles(withRealPaths(tool.edits?.() ?? [], root), judged.breaches, {
        root,
        env,
        timeLeft,
      })
    : undefined;
  const closer = edits === undefined ? judged : judge(edits);
  const hasNoLine = ({ path, line }: Breach) => path !== undefined && line === undefined;
  if (!closer.breaches.some(hasNoLine)) return closer;
  return { ...closer, breaches: withLineNumbers(closer.breaches, root) };
}
