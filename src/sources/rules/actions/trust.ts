import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, optional, PROJECT, text } from "../../../moments/actions/fields.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import { type KeptAside, readTrust, setTrust } from "../../../store/trust.ts";
import type { Catalog } from "../catalog/catalog-rule.ts";
import { describeCheck } from "../checks/describe.ts";
import type { JudgedRules } from "../judge.ts";
import { acceptedTexts, type Run, runsOf } from "../run/runs.ts";
import { RUNS_TITLE, runLines, runsToken, shownRun } from "../run/shown-runs.ts";
import { checksToTrust, fingerprintOf, type ShownCheck } from "../trusted-checks.ts";
import { judgeFor } from "./imagined.ts";

/** How many commands can be accepted at once. */
const MOST_COMMANDS = 50;

/**
 * Lets the checks of this project block tool calls, and lets its rules run these commands. Shows both first, so that
 * the user knows what they trust.
 */
export const trust = action({
  name: "rules trust",
  about: "let the checks of this project stop the agent",
  guide:
    "Checks come with the repository, so anyone may have written them. Until you trust the project, its checks only report: they refuse nothing, ask nothing and run no commands. New or changed commands do not run until you trust the project again.",
  effect: "decides",
  changes: "rules",
  input: fields({
    project: PROJECT,
    checks: optional(text("what was shown of the checks: nothing else is trusted", { typed: "never" })),
    runs: optional(text("the same of the commands", { typed: "never" })),
  }),
  examples: [
    ["continuo rules trust", "show what the checks would do, then ask"],
    ["continuo rules trust --yes", "trust them without asking"],
  ],
  async asks({ project: folder }, place) {
    const { project, checks, runs, preview } = await toTrust(folder, place);
    return {
      ask: `${preview}\nTrust this project? You can take it back with continuo rules untrust.`,
      unasked: notAsked([...preview.split("\n"), "To trust them: continuo rules trust --yes"]),
      declined: {
        data: { project: project.id, trusted: false, checks, runs: runs.map(shownRun) },
        text: "Nothing was changed.",
      },
      // Exactly what was shown, because the files may change while the user reads.
      input: { project: folder, checks: fingerprintOf(checks), runs: runsToken(runs) },
    };
  },
  async run({ project: folder, ...seen }, place) {
    const { project, checks, runs, preview } = await toTrust(folder, place);
    const shown = { checks: fingerprintOf(checks), runs: runsToken(runs) };
    const isSeen = seen.checks !== undefined || seen.runs !== undefined;
    if (isSeen && (seen.checks !== shown.checks || seen.runs !== shown.runs))
      throw new ContinuoError("checks-changed", "the checks of this project changed since they were shown", {
        hint: "nothing is trusted; look at them again",
      });
    const accepted = acceptedTexts(runs.filter((run) => !run.isUsers));
    const aside = await setTrust(place.home, project.id, shown.checks, place.now(), accepted);
    const others = await place.others?.();
    const guards = others === undefined ? elsewhere(checks) : await others.putGuards();
    return { project, checks, runs, aside, guards, preview: isSeen ? undefined : preview };
  },
  json: ({ project, checks, runs, aside }) => ({
    ...{ project: project.id, trusted: true, checks, runs: runs.map(shownRun) },
    ...(aside && { damagedFile: aside.path }),
  }),
  view: ({ project, aside, guards, preview }, { env }) => [
    ...[
      `You now trust ${oneLine(shortPath(project.root, env))}.`,
      ...(preview === undefined ? [] : [preview]),
      ...asideLines(aside),
      ...guards,
    ].map((line) => ({ text: line, hang: 2 })),
    { undo: "continuo rules untrust" },
  ],
});

/** Inside an agent, the settings of other agents are unknown. */
function elsewhere(checks: readonly ShownCheck[]): readonly string[] {
  return checks.length === 0
    ? []
    : [
        "They stop calls in agents that ask Continuo first. If one does not yet, run continuo rules trust on the command line too.",
      ];
}

async function toTrust(folder: string | undefined, place: Place) {
  const found = await judgeFor({ project: folder }, place);
  const rules = found.judged.map(({ rule }) => rule);
  const [checks, runs] = [checksToTrust(rules), runsOf(rules)];
  return { project: found.project, checks, runs, preview: previewOf(found, checks, runs, place.env) };
}

export const untrust = action({
  name: "rules untrust",
  about: "stop trusting this project: its checks only report",
  effect: "decides",
  changes: "rules",
  input: fields({ project: PROJECT }),
  examples: [["continuo rules untrust", "stop trusting this project"]],
  async run({ project: folder }, { cwd, home, now }) {
    const project = findProject(resolve(cwd, folder ?? "."));
    const wasTrusted = readTrust(home).projects.includes(project.id);
    const aside = await setTrust(home, project.id, undefined, now());
    return { project, wasTrusted, aside };
  },
  json: ({ project, aside }) => ({
    project: project.id,
    trusted: false,
    ...(aside && { damagedFile: aside.path }),
  }),
  view({ project, wasTrusted, aside }, { env }) {
    const root = oneLine(shortPath(project.root, env));
    return [
      wasTrusted ? `You no longer trust ${root}.` : `You did not trust ${root}, so nothing changed.`,
      "Its checks remind the agent but stop nothing, and no command of a rule runs there. Your own rules still stop calls.",
      ...asideLines(aside),
      ...(wasTrusted ? [{ undo: "continuo rules trust" }] : []),
    ];
  },
});

/** Everything that trusting this project allows. */
function previewOf(
  { project, catalog }: JudgedRules,
  checks: readonly ShownCheck[],
  runs: readonly Run[],
  env: NodeJS.ProcessEnv,
): string {
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
  const root = oneLine(shortPath(project.root, env));
  const what =
    checks.length === 0
      ? [`${root} has no check that denies or asks. Checks that are added later may stop the agent there.`]
      : [
          `These checks, and any that are added later, may stop the agent in ${root}:`,
          "(deny: a call that breaks the rule is refused; ask: you decide before the call)",
        ];
  // Only the paths of rules are shortened: a command is shown exactly as it will run.
  const place = (path: string) => shortPaths(path, project.root, env);
  return [...what, ...checkLines(checks, place), ...replacedLines(catalog, place), ...commands].join("\n");
}

function asideLines(aside: KeptAside | undefined): string[] {
  if (aside === undefined) return [];
  const kept = count(aside.projects, "trusted project");
  return [`trust.json was damaged: ${kept} could be read and kept. The damaged file: ${aside.path}`];
}

/** Further ones are only counted. */
const MAX_REPLACED = 20;

/** The user's own rules whose checks no longer apply here once the project is trusted. */
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
    ...(more > 0 ? [`  and ${count(more, "more rule")}`] : []),
  ];
}

/** One line per check, shown before a project is trusted. */
function checkLines(checks: readonly ShownCheck[], place: (path: string) => string): string[] {
  return checks.map(({ check, path }) => {
    const message = check.message === undefined ? "" : `: ${check.message}`;
    return `  ${oneLine(`${check.reaction}: ${describeCheck(check)}${message} (${place(path)})`)}`;
  });
}
