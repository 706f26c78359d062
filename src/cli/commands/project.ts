import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { commandWord, oneLine } from "../../base/for-terminal.ts";
import { type KnownProject, knownProject, shortPath } from "../../moments/project/known-project.ts";
import { findProject } from "../../moments/project/project.ts";
import { seenProjects } from "../../moments/project/project-registry.ts";
import { changeConfig } from "../../setup/change-config.ts";
import { loadConfig } from "../../store/config.ts";
import { findHome } from "../../store/home.ts";
import { type ProjectSettings, settingsFor } from "../../store/project-settings.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { type Actions, chooseAction } from "../subcommands.ts";
import { confirmed } from "../terminal/input.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { textOption } from "../terminal/options.ts";
import { paintFor } from "../terminal/paint.ts";
import { PLAIN } from "../terminal/screen.ts";
import { wrapOn } from "../terminal/wrap.ts";
import { undoLine } from "./notes/undo-line.ts";

const ACTIONS: Actions = {
  show: (input) => report(input),
  name: rename,
  alias,
  separate: (input) => change(input, { separate: true }),
  share: (input) => change(input, { separate: false }),
  reset,
};

/** How a folder is recognised as a project, and what the user says about it. */
export const projectCommand: Command = {
  name: "project",
  summary: "show or name this project, link its clones",
  usage: "project [SUBCOMMAND]",
  section: "more",
  guide:
    "Clones of one git remote are one project: they share notes and sessions. Names and former folders help to find notes and sessions of a project that moved.",
  options: {
    project: { type: "string", value: "DIR", help: "project folder", fallback: "the current one" },
    yes: { type: "boolean", help: "do not ask" },
  },
  arguments: {
    NAME: { help: "what you call the project" },
    FOLDER: { help: "a folder where the project was before" },
  },
  subcommands: [
    {
      name: "show",
      summary: "show names, git remote and other places of the project",
      options: ["project"],
      examples: [["continuo project show --project ~/work/shop", "show it for another folder"]],
    },
    {
      name: "name",
      args: "NAME",
      summary: "call the project NAME in notes and lists",
      options: ["project"],
      examples: [["continuo project name shop", "rename the current project"]],
    },
    {
      name: "alias",
      args: "NAME|FOLDER…",
      summary: "add other names, or folders where it was before",
      options: ["project"],
      examples: [["continuo project alias old-shop ~/work/old-shop", "add a name and a former folder"]],
    },
    {
      name: "separate",
      summary: "share no notes and sessions with other clones",
      options: ["project"],
      examples: [["continuo project separate", "keep this clone apart"]],
    },
    {
      name: "share",
      summary: "share notes and sessions with other clones again",
      options: ["project"],
      examples: [["continuo project share", "undo continuo project separate"]],
    },
    {
      name: "reset",
      summary: "forget the name, the aliases and the separation",
      guide: "It asks first, and prints the commands that set them again.",
      options: ["project", "yes"],
      examples: [["continuo project reset", "recognise the project by its folder and remote alone"]],
    },
  ],
  examples: [["continuo project", "show how the current folder is recognised"]],
  run: (input) => chooseAction("project", ACTIONS, input, "show")(input),
};

function rename(input: Input): Outcome {
  const [, name = ""] = input.positionals;
  if (name.trim() === "")
    throw new ContinuoError("usage", "NAME is missing", { hint: "for example: continuo project name shop" });
  return change(input, { projectName: oneLine(name.trim()) });
}

function alias(input: Input): Outcome {
  const given = input.positionals.slice(1).map((one) => folderOrName(one, input));
  if (given.length === 0)
    throw new ContinuoError("usage", "NAME or FOLDER is missing", {
      hint: "for example: continuo project alias old-shop ~/work/old-shop",
    });
  const { aliases = [] } = ownSettings(input) ?? {};
  return change(input, { aliases: [...new Set([...aliases, ...given])] });
}

/** A word with a slash that begins like a path is a folder; `acme/shop` is a name. */
function folderOrName(text: string, { cwd, env }: Input): string {
  return /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])/.test(text)
    ? shortPath(text.startsWith("~") ? text : resolve(cwd, text), env)
    : oneLine(text.trim());
}

async function reset(input: Input): Promise<Outcome> {
  const before = ownSettings(input);
  if (before === undefined) return report(input);
  const question = `Forget the name, the aliases and the separation of ${oneLine(known(input).name)}?`;
  if (!(await confirmed(input, question))) throw new ContinuoError("not-confirmed", "nothing was changed");
  changeConfig(input, ["projects", keyOf(input)], undefined);
  const done = report(input);
  const undo = commandsFor(before).map((command) => undoLine(input, command));
  return { ...done, text: [done.text, ...undo].join("\n") };
}

/** What sets these settings again. */
function commandsFor({ projectName, aliases = [], separate }: Partial<ProjectSettings>): string[] {
  const words = (all: readonly string[]) => all.map(commandWord).join(" ");
  return [
    ...(projectName ? [`continuo project name -- ${words([projectName])}`] : []),
    ...(aliases.length > 0 ? [`continuo project alias -- ${words(aliases)}`] : []),
    ...(separate === true ? ["continuo project separate"] : []),
  ];
}

function change(input: Input, settings: Partial<ProjectSettings>): Outcome {
  const before = ownSettings(input) ?? {};
  const after = Object.entries({ ...before, ...settings }).filter(
    ([, value]) => value !== "" && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  changeConfig(input, ["projects", keyOf(input)], after.length === 0 ? undefined : Object.fromEntries(after));
  return report(input);
}

function report(input: Input): Outcome {
  const project = known(input);
  const places = otherPlaces(project, input);
  const { separate = false } = ownSettings(input) ?? {};
  const data = { ...project, separate, otherPlaces: places };
  const [, ...others] = project.names;
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const text = [
    `Project  ${paint("bold", oneLine(project.name))}`,
    `Folder   ${oneLine(shortPath(project.root, input.env))}`,
    `Remote   ${oneLine(project.remote ?? "none")}`,
    ...(others.length === 0 ? [] : [`Also     ${oneLine(others.join(", "))}`]),
    `Notes written here get project_id: ${oneLine(project.identity)}`,
    ...places.map((one) => `Shares notes and sessions with ${oneLine(one)}`),
    ...(separate ? ["Shares nothing with other clones. To share again: continuo project share"] : []),
  ].map((line) => wrapOn(line, screen, { hang: /^\w+ {2,}/.test(line) ? 9 : 2 }));
  const steps = nextSteps(
    screen,
    ["continuo project name NAME", "Call it something else"],
    ["continuo project alias FOLDER", "Add a folder where it was before"],
  );
  return { data, text: [...text, ...steps].join("\n") };
}

function known(input: Input): KnownProject {
  return knownProject(findProject(folder(input)), {
    home: findHome(input.env),
    env: input.env,
    cwd: folder(input),
  });
}

/** Other clones of the remote that share with this one. */
function otherPlaces({ id, ids }: KnownProject, { env }: Input): string[] {
  const seen = new Map(seenProjects(findHome(env)).map((one) => [one.id, one.root]));
  return ids
    .filter((one) => one !== id)
    .map((one) => seen.get(one) ?? one)
    .map((root) => `${shortPath(root, env)}${existsSync(root) ? "" : " (no longer there)"}`);
}

function ownSettings(input: Input): ProjectSettings | undefined {
  const { env } = input;
  const { config } = loadConfig(findHome(env).config, [], env);
  return settingsFor(config.projects, findProject(folder(input)), env);
}

/** As the config names the project. */
function keyOf(input: Input): string {
  return shortPath(findProject(folder(input)).root, input.env);
}

function folder(input: Input): string {
  const at = resolve(input.cwd, textOption(input, "project") ?? ".");
  if (statSync(at, { throwIfNoEntry: false })?.isDirectory() === true) return at;
  throw new ContinuoError("no-such-folder", `${oneLine(at)} is not a folder`, {
    hint: "--project needs a folder that exists",
  });
}
