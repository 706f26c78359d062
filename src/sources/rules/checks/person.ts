import type { SourceContext } from "../../../moments/ports/source.ts";
import type { Project } from "../../../moments/types.ts";
import type { Breach } from "./breach.ts";
import type { Check } from "./check.ts";
import { forPerson, lineOf, nameOf } from "./lines.ts";
import type { Decision } from "./reminders.ts";

/** What the person is asked in the review, after reminders without effect. */
export interface Question {
  readonly rule: string;
  readonly name: string;
  readonly check: string;
  readonly project: Project;
  readonly breaches: number;
  /** One line about the last breach. */
  readonly example: string;
}

export interface PersonContext extends Pick<SourceContext, "report" | "reviewCommand"> {
  readonly project: Project;
  readonly checkOf: (breach: Breach) => Check | undefined;
  /** Stores a question for the review. */
  readonly ask: (question: Question) => void;
}

/** Lines for the person about a decision. Stores the questions, and records in the health log what may be wrong. */
export function tellPerson(decision: Decision, context: PersonContext): string[] {
  const { project, checkOf, ask, report, reviewCommand } = context;
  const questions = decision.questions.map(({ breach, breaches }) => {
    const { rule, name, check } = breach;
    const example = lineOf(breach, checkOf(breach), "breaks");
    ask({ rule, name, check, project, breaches, example });
    return `the rule "${nameOf(breach)}" was broken again after three reminders. To decide: ${reviewCommand}`;
  });
  const noisy = decision.noisy.map(({ breach, why }) => {
    const line = `a check of the rule "${nameOf(breach)}" may be wrong: ${why}`;
    const hint = `continuo rules try ${nameOf(breach)}`;
    report("check-noisy", line, `run: ${hint}`);
    return `${line}. To look at it: ${hint}`;
  });
  for (const breach of decision.unchecked)
    report(
      "check-too-long",
      `a check of the rule "${nameOf(breach)}" was not made: ${breach.path ?? "the call"} is too long`,
    );
  return [...questions, ...noisy].map(forPerson);
}
