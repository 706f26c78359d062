import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findProject } from "../../../moments/project.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
import type { Check } from "../../../sources/rules/checks/check.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import type { RuleFile } from "../../../sources/rules/files/folders.ts";
import { acceptedTexts, runsOf } from "../../../sources/rules/run/runs.ts";
import { findHome } from "../../../store/home.ts";
import { type KeptAside, setTrust, type Trust } from "../../../store/trust.ts";
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
  const { project, judged, catalog } = await judgeAll(input);
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
  const replaced = replacedLines(catalog);
  const preview = [...what, ...checkLines(checks), ...replaced, ...commands].join("\n");
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
      ...replaced,
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

/** More are counted. */
const MAX_REPLACED = 20;

/** The user's own rules whose checks do not hold here any more once the project is trusted. */
function replacedLines({ replaced, repeated }: Catalog): string[] {
  if (replaced.length === 0) return [];
  const paths = new Set(replaced.map(({ file }) => file.path));
  const lines = repeated.flatMap(({ file, by }) =>
    paths.has(file.path) ? [`  ${oneLine(`${file.path}, replaced by ${by.path}`)}`] : [],
  );
  const more = lines.length - MAX_REPLACED;
  return [
    "The checks of these rules of your own do not hold in this project while you trust it, because rules of the project replace them:",
    ...lines.slice(0, MAX_REPLACED),
    ...(more > 0 ? [`  and ${counted(more, "more rule")}`] : []),
  ];
}

/** A check with the rule and the file that it is in. */
export interface ShownCheck {
  readonly rule: string;
  readonly path: string;
  readonly check: Check;
}

interface Checked {
  readonly name: string;
  readonly file: Pick<RuleFile, "path" | "scope">;
  readonly checks: readonly Check[];
}

/** The project's checks that stop a call. What runs a program is shown and accepted on its own (`runs.ts`). */
export function checksToTrust(rules: readonly Checked[]): ShownCheck[] {
  return rules.flatMap(({ name, file, checks }) =>
    checks
      .filter(({ reaction }) => (reaction === "deny" || reaction === "ask") && file.scope === "project")
      .map((check) => ({ rule: name, path: file.path, check })),
  );
}

/** One line per check, shown before a project is trusted. */
export function checkLines(checks: readonly ShownCheck[]): string[] {
  return checks.map(({ check, path }) => {
    const message = check.message === undefined ? "" : `: ${check.message}`;
    return `  ${oneLine(`${check.reaction}: ${describeCheck(check)}${message} (${path})`)}`;
  });
}

export function fingerprintOf(checks: readonly ShownCheck[]): string {
  const all = checks.map(({ path, check }) =>
    JSON.stringify(
      check.on === "calls" // as it was before there were other checks: a project that is trusted stays so
        ? [path, check.reaction, check.tools, check.pattern ?? null, check.message]
        : [path, check.on, check.id],
    ),
  );
  return fingerprint(all.sort().join("\n"));
}

/** Trust also covers later checks, so the user should know when they differ from those that were shown. */
export function haveChanged(trust: Trust, project: string, checks: readonly ShownCheck[]): boolean {
  const shown = Object.hasOwn(trust.shown, project) ? trust.shown[project] : undefined;
  return trust.projects.includes(project) && shown !== undefined && shown !== fingerprintOf(checks);
}
