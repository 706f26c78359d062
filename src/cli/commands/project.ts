import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import { type KnownProject, knownProject, shortPath } from "../../moments/known-project.ts";
import { findProject } from "../../moments/project.ts";
import { seenProjects } from "../../moments/project-registry.ts";
import { loadConfig } from "../../store/config.ts";
import { findHome } from "../../store/home.ts";
import { type ProjectSettings, settingsFor } from "../../store/project-settings.ts";
import { changeConfig } from "../change-config.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { type Actions, chooseAction } from "../subcommands.ts";
import { textOption } from "../terminal/options.ts";

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
  summary: "how Continuo recognises this project, and its other names",
  usage: "project [SUBCOMMAND]",
  options: {
    project: { type: "string", value: "DIR", help: "project folder (default: the current one)" },
  },
  words: Object.keys(ACTIONS),
  uses: [
    ["show", "show names, git remote and other places of the project (default)"],
    ["name NAME", "call the project NAME in notes and lists"],
    ["alias NAME|FOLDER…", "add other names, or folders where the project was before"],
    ["separate", "share no notes and sessions with other clones of the remote"],
    ["share", "share them again (default)"],
    ["reset", "forget the name, the aliases and the separation"],
  ],
  run: (input) => chooseAction("project", ACTIONS, input, "show")(input),
};

function rename(input: Input): Outcome {
  const [, name = ""] = input.positionals;
  if (name.trim() === "")
    throw new ContinuoError("usage", "project name needs a NAME", { hint: "continuo project name shop" });
  return change(input, { projectName: oneLine(name.trim()) });
}

function alias(input: Input): Outcome {
  const given = input.positionals.slice(1).map((one) => folderOrName(one, input));
  if (given.length === 0)
    throw new ContinuoError("usage", "project alias needs a NAME or a FOLDER", {
      hint: "continuo project alias old-shop ~/work/old-shop",
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

function reset(input: Input): Outcome {
  changeConfig(input, ["projects", keyOf(input)], undefined);
  return report(input);
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
  const text = [
    `Project  ${oneLine(project.name)}`,
    `Folder   ${oneLine(shortPath(project.root, input.env))}`,
    `Remote   ${oneLine(project.remote ?? "none")}`,
    ...(others.length === 0 ? [] : [`Also     ${oneLine(others.join(", "))}`]),
    `Notes written here get project_id: ${oneLine(project.identity)}`,
    ...places.map((one) => `Shares notes and sessions with ${oneLine(one)}`),
    ...(separate ? ["Shares nothing with other clones. To share again: continuo project share"] : []),
  ];
  return { data, text: text.join("\n") };
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
