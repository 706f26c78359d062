import { existsSync } from "node:fs";
import { markReported } from "../../../store/health.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { Command, Input } from "../../command.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { type Counts, isFixable, type NamedFinding } from "./check.ts";
import { CHECKS } from "./checks.ts";
import { commandIn } from "./command-in.ts";
import { type Fixed, fixAll } from "./fix.ts";
import { reportText } from "./report.ts";
import { runApart, tellChecks, thisProgram, wantedChecks } from "./run-apart.ts";
import { type Checked, runChecks } from "./run-checks.ts";

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
    // What was fixed may have changed what other checks find.
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
        ...(fixed === undefined ? {} : { fixed }),
      },
      text: reportText(
        { findings, counts, isVerbose, ...(fixed === undefined ? {} : { fixed }) },
        input.screen ?? PLAIN,
      ),
      exitCode: failed > 0 ? 1 : 0,
    };
  },
};

function checkAll(input: Input, home: Home | undefined): Promise<Checked[]> {
  const program = thisProgram(input);
  return program === undefined ? runChecks(CHECKS, input, home) : runApart(CHECKS, program, input);
}

/** The checks that found something to fix run once more in this process, which can fix it. */
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
  return { ...rest, ...(command === undefined ? {} : { command }), canFix: isFixable(finding) };
}

function findHomeOrFail(input: Input): Home | undefined {
  try {
    return findHome(input.env);
  } catch {
    return undefined; // `checkHome` reports it, with how to fix it
  }
}

/** The user has now seen the failures, so the next snapshot need not mention them. A home that is gone is not made again. */
function acknowledge(home: Home, input: Input): void {
  if (!existsSync(home.root)) return;
  try {
    markReported(home, input.now());
  } catch {
    // A home that cannot be written is already among the findings.
  }
}
