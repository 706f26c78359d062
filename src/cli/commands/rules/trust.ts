import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import { acceptedTexts, runsOf } from "../../../sources/rules/run/runs.ts";
import { checksToTrust, fingerprintOf, type ShownCheck } from "../../../sources/rules/trusted-checks.ts";
import { findHome } from "../../../store/home.ts";
import { type KeptAside, readTrust, setTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { shortPaths } from "../../short-paths.ts";
import { canAsk, confirmed } from "../../terminal/input.ts";
import { textOption } from "../../terminal/options.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { withGuardHooks } from "../install/guards.ts";
import { undoLine } from "../notes/undo-line.ts";
import { judgeAll } from "./judged.ts";
import { RUNS_TITLE, runLines, shownRun } from "./runs.ts";

/** More commands at once are not accepted. */
const MOST_COMMANDS = 50;

/**
 * Lets the checks of this project stop tool calls, and lets its rules run these commands. Shows both first, so that people
 * know what they trust.
 */
export async function trust(input: Input): Promise<Outcome> {
  const { project, judged, catalog } = await judgeAll(input);
  const rules = judged.map(({ rule }) => rule);
  const checks = checksToTrust(rules);
  const runs = runsOf(rules);
  const ofProject = runs.filter((run) => !run.isUsers).length;
  if (ofProject > MOST_COMMANDS)
    throw new ContinuoError(
      "too-many-commands",
      `the rules of ${oneLine(project.root)} want to run ${ofProject} commands; nobody reads more than ${MOST_COMMANDS}`,
      { hint: `nothing is trusted; leave at most ${MOST_COMMANDS} in its rules (checks: run)` },
    );
  const commands =
    runs.length === 0
      ? []
      : [
          RUNS_TITLE,
          ...runLines(runs),
          "Each runs whatever the project's files make of it, also after they change: its scripts, packages and settings.",
          "A command of this project that is added or changed later does not run until you accept it with this command.",
        ];
  const root = oneLine(shortPath(project.root, input.env));
  const what =
    checks.length === 0
      ? [`No check of ${root} denies or asks yet. Checks that are added later may stop the agent there.`]
      : [
          `These checks, and any that are added later, may stop the agent in ${root}:`,
          "(deny: a call that breaks the rule is refused; ask: you decide before the call)",
        ];
  // Only the places of rules are shortened: a command is shown exactly as it runs.
  const place = (path: string) => shortPaths(path, project.root, input.env);
  const preview = [...what, ...checkLines(checks, place), ...replacedLines(catalog, place), ...commands].join(
    "\n",
  );
  const isSure = input.values["yes"] === true;
  const screen = input.screen ?? PLAIN;
  if (!isSure && !canAsk(input))
    throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
      hint: [...preview.split("\n"), "To trust them: continuo rules trust --yes"],
    });
  // The question is on the terminal of the standard error, which is the one of the output where there is one.
  const question = wrapOn(
    `${preview}\nTrust this project? You can take it back with continuo rules untrust.`,
    screen,
    {
      hang: 2,
    },
  );
  if (!(await confirmed(input, question)))
    return {
      data: { project: project.id, trusted: false, checks, runs: runs.map(shownRun) },
      text: "Nothing was changed.",
      exitCode: 1,
    };
  const accepted = acceptedTexts(runs.filter((run) => !run.isUsers));
  const shown = fingerprintOf(checks);
  const home = findHome(input.env);
  const aside = await setTrust(home, project.id, shown, input.now(), accepted);
  return {
    data: {
      project: project.id,
      trusted: true,
      checks,
      runs: runs.map(shownRun),
      ...(aside && { damagedFile: aside.path }),
    },
    text: [
      ...[
        `You now trust ${root}.`,
        // Whoever was asked has read it.
        ...(isSure ? [preview] : []),
        ...asideLines(aside),
        ...(await withGuardHooks(input, home)),
      ].map((line) => wrapOn(line, screen, { hang: 2 })),
      undoLine(input, "continuo rules untrust"),
    ].join("\n"),
  };
}

export async function untrust(input: Input): Promise<Outcome> {
  const project = findProject(resolve(input.cwd, textOption(input, "project") ?? "."));
  const home = findHome(input.env);
  const wasTrusted = readTrust(home).projects.includes(project.id);
  const aside = await setTrust(home, project.id, undefined, input.now());
  const root = oneLine(shortPath(project.root, input.env));
  const lines = [
    wasTrusted ? `You no longer trust ${root}.` : `You did not trust ${root}, so nothing changed.`,
    "Its checks remind the agent but stop nothing, and no command of a rule runs there. Your own rules still stop calls.",
    ...asideLines(aside),
  ];
  return {
    data: { project: project.id, trusted: false, ...(aside && { damagedFile: aside.path }) },
    text: [
      ...lines.map((line) => wrapOn(line, input.screen ?? PLAIN)),
      ...(wasTrusted ? [undoLine(input, "continuo rules trust")] : []),
    ].join("\n"),
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
function replacedLines({ replaced, repeated }: Catalog, place: (path: string) => string): string[] {
  if (replaced.length === 0) return [];
  const paths = new Set(replaced.map(({ file }) => file.path));
  const lines = repeated.flatMap(({ file, by }) =>
    paths.has(file.path) ? [`  ${oneLine(`${place(file.path)}, replaced by ${place(by.path)}`)}`] : [],
  );
  const more = lines.length - MAX_REPLACED;
  return [
    "The checks of these rules of your own do not hold in this project while you trust it, because rules of the project replace them:",
    ...lines.slice(0, MAX_REPLACED),
    ...(more > 0 ? [`  and ${counted(more, "more rule")}`] : []),
  ];
}

/** One line per check, shown before a project is trusted. */
function checkLines(checks: readonly ShownCheck[], place: (path: string) => string): string[] {
  return checks.map(({ check, path }) => {
    const message = check.message === undefined ? "" : `: ${check.message}`;
    return `  ${oneLine(`${check.reaction}: ${describeCheck(check)}${message} (${place(path)})`)}`;
  });
}
