import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findProject } from "../../../moments/project.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import { acceptedTexts, runsOf } from "../../../sources/rules/run/runs.ts";
import { checksToTrust, fingerprintOf, type ShownCheck } from "../../../sources/rules/trusted-checks.ts";
import { findHome } from "../../../store/home.ts";
import { type KeptAside, setTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { textOption } from "../../terminal/options.ts";
import { counted } from "../../terminal/table.ts";
import { judgeAll } from "./judged.ts";
import { RUNS_TITLE, runLines, shownRun } from "./runs.ts";

/**
 * Lets the checks of this project stop tool calls, and lets its rules run these commands. Shows both first, so that people
 * know what they trust.
 */
export async function trust(input: Input): Promise<Outcome> {
  const { project, judged } = await judgeAll(input);
  const rules = judged.map(({ rule }) => rule);
  const checks = checksToTrust(rules);
  const runs = runsOf(rules);
  const commands =
    runs.length === 0
      ? []
      : [
          RUNS_TITLE,
          ...runLines(runs),
          "A command of this project that is added or changed later does not run until you accept it with this command.",
        ];
  const what =
    checks.length === 0
      ? [
          `There are no such checks in ${oneLine(project.root)} yet. Checks that are added later may stop tool calls.`,
        ]
      : [`These checks, and any that are added later, may stop tool calls in ${oneLine(project.root)}:`];
  const preview = [...what, ...checkLines(checks), ...commands].join("\n");
  if (input.values["yes"] !== true && !canAsk(input))
    throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
      hint: `${preview}\nTo trust them: continuo rules trust --yes`,
    });
  if (!confirmed(input, `${preview}\nTrust this project's checks?`))
    return {
      data: { project: project.id, trusted: false, checks, runs: runs.map(shownRun) },
      text: "Nothing was changed.",
      exitCode: 1,
    };
  const accepted = acceptedTexts(runs.filter((run) => !run.isUsers));
  const shown = fingerprintOf(checks);
  const aside = await setTrust(findHome(input.env), project.id, shown, input.now(), accepted);
  return {
    data: {
      project: project.id,
      trusted: true,
      checks,
      runs: runs.map(shownRun),
      ...(aside && { damagedFile: aside.path }),
    },
    text: [
      checks.length === 0 && runs.length > 0
        ? `${oneLine(project.root)} is now trusted.`
        : `The checks of ${oneLine(project.root)} are now trusted${checks.length === 0 ? "; there are none yet." : ":"}`,
      ...checkLines(checks),
      ...commands,
      ...asideLines(aside),
      "To make a host check them, run continuo install HOST again.",
    ].join("\n"),
  };
}

export async function untrust(input: Input): Promise<Outcome> {
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const aside = await setTrust(findHome(input.env), project.id, undefined, input.now());
  return {
    data: { project: project.id, trusted: false, ...(aside && { damagedFile: aside.path }) },
    text: [`The checks of ${oneLine(project.root)} are off.`, ...asideLines(aside)].join("\n"),
  };
}

function asideLines(aside: KeptAside | undefined): string[] {
  if (aside === undefined) return [];
  const kept = counted(aside.projects, "trusted project");
  return [`trust.json was damaged: ${kept} could be read and kept. The damaged file: ${aside.path}`];
}

/** One line per check, shown before a project is trusted. */
export function checkLines(checks: readonly ShownCheck[]): string[] {
  return checks.map(({ check, path }) => {
    const message = check.message === undefined ? "" : `: ${check.message}`;
    return `  ${oneLine(`${check.reaction}: ${describeCheck(check)}${message} (${path})`)}`;
  });
}
