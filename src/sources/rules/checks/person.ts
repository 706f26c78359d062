import type { SourceContext } from "../../../moments/ports/source.ts";
import type { Project } from "../../../moments/types.ts";
import type { Check } from "../rule.ts";
import { ruleArgument } from "../rule-argument.ts";
import type { Breach } from "./breach.ts";
import { MOST_SAID } from "./checked.ts";
import { forPerson, lineOf, nameOf, tooLong } from "./lines.ts";
import type { Decision } from "./reminders.ts";

/** Asked when the agent keeps breaking a rule although it was reminded. */
export interface Question {
  /** The rule's key and name. */
  readonly rule: string;
  readonly name: string;
  /** The check's id. */
  readonly check: string;
  readonly project: Project;
  readonly breaches: number;
  /** The last place: `src/a.ts:12 const x: any = 1`. */
  readonly example: string;
  /** Whether the rule is the user's own and not the project's. */
  readonly isUsers?: boolean;
}

export interface PersonContext extends Pick<SourceContext, "report" | "reviewCommand"> {
  readonly project: Project;
  /** Returns whether the question is pending now. */
  readonly ask: (question: Question) => Promise<boolean>;
  readonly checkOf: (breach: Breach) => Check | undefined;
}

/** Lines for the user about a decision. Stores the questions, and records in the health log what may be wrong. */
export async function tellPerson(decision: Decision, context: PersonContext): Promise<string[]> {
  const { report, reviewCommand } = context;
  // The question is whether to refuse it from now on, so rules that already deny are left out.
  const toAsk = decision.questions.filter(({ breach }) => breach.reaction !== "deny");
  const asked = toAsk.length > 0 ? await storeQuestions(toAsk, context) : [];
  const questions = asked.map(
    (breach) =>
      `the rule "${nameOf(breach)}" was broken again after three reminders. To decide: ${reviewCommand}`,
  );
  const noisy = decision.noisy.map(({ breach, why }, i) => {
    const line = `a check of the rule "${nameOf(breach)}" may be wrong: ${why}`;
    const hint = `continuo rules try ${ruleArgument({ name: breach.name, key: breach.rule })}`;
    if (i < MOST_SAID) report("check-noisy", line, `run: ${hint}`);
    return `${line}. To look at it: ${hint}`;
  });
  for (const breach of decision.unchecked.slice(0, MOST_SAID))
    report(
      "check-too-long",
      `a check of the rule "${nameOf(breach)}" was not made: ${breach.path ?? "the call"} is ${tooLong(breach)}`,
    );
  const more = (code: string, all: readonly unknown[], what: string) => {
    if (all.length > MOST_SAID)
      report(code, `${all.length - MOST_SAID} more ${what}`, "run: continuo rules report");
  };
  more("check-noisy", noisy, "checks may be wrong");
  more("check-too-long", decision.unchecked, "checks were not made: what they look at is too long");
  return [...questions, ...noisy].map(forPerson);
}

/** Returns the questions that are pending. */
async function storeQuestions(
  questions: Decision["questions"],
  { project, checkOf, ask }: PersonContext,
): Promise<Breach[]> {
  const asked: Breach[] = [];
  for (const { breach, breaches } of questions) {
    const { rule, name, check, isUsers } = breach;
    const example = lineOf(breach, checkOf(breach), "breaks");
    if (await ask({ rule, name, check, project, breaches, example, isUsers })) asked.push(breach);
  }
  return asked;
}
