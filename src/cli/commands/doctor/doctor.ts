import { existsSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { markReported } from "../../../store/health.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { Command, Input } from "../../command.ts";
import { canAsk, choiceAsker } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { ownNames } from "../install/own-data.ts";
import { type Counts, commandIn, type Fix, isFixable, type NamedFinding } from "./check.ts";
import { CHECKS, type Checked, runChecks } from "./checks.ts";
import { reportText } from "./report.ts";
import { runApart, tellChecks, thisProgram, wantedChecks } from "./run-apart.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "check the setup and explain how to fix problems",
  usage: "doctor [--fix] [--verbose]",
  section: "start",
  guide: [
    "Runs what is set up in each agent, checks rules, notes, past sessions and Continuo's own files, and lists failures of the last seven days.",
    "Problems come first, then warnings, each with the command that fixes it. The exit code is 1 if there are problems, and 0 if there are only warnings.",
    "Without --fix, no setting and no file of yours is changed. With it, whatever is safe is fixed: agents whose entries are outdated are set up again (with a backup), a damaged index is rebuilt, permissions of Continuo's folder are corrected, stale locks are released.",
  ].join("\n"),
  examples: [
    ["continuo doctor", "show problems and how to fix them"],
    ["continuo doctor --fix", "fix what can be fixed safely"],
    ["continuo doctor --verbose", "show every check"],
  ],
  options: {
    fix: { type: "boolean", help: "fix what can be fixed safely, and say what was done and what is left" },
    verbose: { type: "boolean", help: "show every check, including those that passed" },
    yes: {
      type: "boolean",
      help: "with --fix: do not ask before the settings are restored from their backup",
    },
  },
  async run(input) {
    const home = findHomeOrFail(input);
    const own = wantedChecks(CHECKS, input.env);
    if (own !== undefined) {
      await tellChecks(own, input, home);
      return { data: {}, text: "" };
    }
    const isVerbose = input.values["verbose"] === true;
    const first = await checkAll(input, home);
    const fixed = input.values["fix"] === true ? await fix(first, input, home) : undefined;
    // A fix may have changed the findings of other checks.
    const isChanged = fixed?.some(({ done }) => done !== undefined) === true;
    const findings = findingsOf(isChanged ? await checkAll(input, home) : first);
    const failed = findings.filter(({ status }) => status === "fail").length;
    const warned = findings.filter(({ status }) => status === "warn").length;
    const counts = countsOf(findings);
    if (home !== undefined) acknowledge(home, input);
    return {
      data: {
        findings: findings.map(asData),
        failed,
        warned,
        counts,
        fixed,
      },
      text: reportText({ findings, counts, isVerbose, fixed }, input.screen ?? PLAIN),
      exitCode: failed > 0 ? 1 : 0,
    };
  },
};

function checkAll(input: Input, home: Home | undefined): Promise<Checked[]> {
  const program = thisProgram(input);
  return program === undefined ? runChecks(CHECKS, input, home) : runApart(CHECKS, program, input);
}

/** Repeats the checks that found something to fix in this process, which can fix it. */
async function fix(first: readonly Checked[], input: Input, home: Home | undefined): Promise<Fixed[]> {
  const names = first.filter(({ findings }) => findings.some(isFixable)).map(({ name }) => name);
  const found = await runChecks(
    CHECKS.filter(({ name }) => names.includes(name)),
    input,
    home,
  );
  return fixAll(input, findingsOf(found));
}

function findingsOf(checked: readonly Checked[]): NamedFinding[] {
  return checked.flatMap(({ findings }) => findings);
}

function countsOf(findings: readonly NamedFinding[]): Counts {
  return Object.assign({}, ...findings.map(({ counts }) => counts ?? {})) as Counts;
}

function asData(finding: NamedFinding) {
  const { fix: _, counts: __, ...rest } = finding;
  const command = commandIn(rest.mend);
  return { ...rest, command, canFix: isFixable(finding) };
}

function findHomeOrFail(input: Input): Home | undefined {
  try {
    return findHome(input.env);
  } catch {
    return undefined; // `checkHome` reports it, with how to fix it
  }
}

/**
 * The user has now seen the failures, so the next snapshot need not mention them. A deleted home is not created again.
 */
function acknowledge(home: Home, input: Input): void {
  if (!existsSync(home.root)) return;
  try {
    markReported(home, input.now());
  } catch {
    // An unwritable home is already among the findings.
  }
}

/** What `--fix` did about one finding, or why it did nothing. */
export interface Fixed {
  readonly what: string;
  /** The finding's text. */
  readonly detail: string;
  readonly done?: string;
  readonly problem?: string;
}

/** All questions come before the first change: a user who cancels there has changed nothing. */
async function fixAll(input: Input, findings: readonly NamedFinding[]): Promise<Fixed[]> {
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

/**
 * Why the home is not Continuo's own: CONTINUO_HOME can name any folder, and other programs' files must not be touched.
 */
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
