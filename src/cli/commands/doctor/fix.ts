import { describeError } from "../../../base/errors.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { canAsk, choiceAsker } from "../../terminal/input.ts";
import { ownNames } from "../install/own-data.ts";
import type { Fix, NamedFinding } from "./check.ts";

/** What `--fix` did about one finding, or why it did nothing. */
export interface Fixed {
  readonly what: string;
  /** The finding. */
  readonly detail: string;
  readonly done?: string;
  readonly problem?: string;
}

/** Questions come before anything is changed: whoever stops there has changed nothing. */
export async function fixAll(input: Input, findings: readonly NamedFinding[]): Promise<Fixed[]> {
  const wanted = findings.flatMap((finding) =>
    finding.fix === undefined ? [] : [{ finding, fix: finding.fix }],
  );
  const agreed = new Set<Fix>();
  for (const { fix } of wanted)
    if (fix.question === undefined || (await agrees(input, fix.question))) agreed.add(fix);
  const fixed: Fixed[] = [];
  const foreign = notOwnHome(input);
  for (const { finding, fix } of wanted) {
    const { what, detail } = finding;
    input.progress?.(`Fixing: ${what} …`);
    if (foreign !== undefined && IN_HOME.includes(what)) fixed.push({ what, detail, problem: foreign });
    else if (!agreed.has(fix)) fixed.push({ what, detail, problem: refusal(input) });
    else fixed.push({ what, detail, ...(await attempt(fix.run)) });
  }
  return fixed;
}

/** Checks whose fixes change or remove files below the home. */
const IN_HOME = ["home", "permissions", "leftovers", "locks"];

/** Why the home is not Continuo's own: CONTINUO_HOME can name any folder, and files of others are not touched. */
function notOwnHome({ env }: Input): string | undefined {
  try {
    ownNames(findHome(env), env);
    return undefined;
  } catch (error) {
    return describeError(error).message;
  }
}

async function attempt(run: () => string | Promise<string>): Promise<Pick<Fixed, "done" | "problem">> {
  try {
    return { done: await run() };
  } catch (error) {
    const { message, hint } = describeError(error);
    return { problem: hint === undefined ? message : `${message}; ${hint}` };
  }
}

async function agrees(input: Input, question: string): Promise<boolean> {
  if (input.values["yes"] === true) return true;
  return canAsk(input) && /^y(es)?$/i.test((await choiceAsker()(`${question} [y/N] `)) ?? "");
}

function refusal(input: Input): string {
  return canAsk(input) ? "you did not confirm it" : "it needs your consent: continuo doctor --fix --yes";
}
