import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { commandWord, oneLine } from "../../base/for-terminal.ts";
import { loadConfig } from "../../store/config.ts";
import { type ProjectSettings, settingsFor } from "../../store/project-settings.ts";
import { changeSetting } from "../actions/change-setting.ts";
import { fields, PROJECT, text, texts } from "../actions/fields.ts";
import { notAsked } from "../actions/not-asked.ts";
import { type ActionGroup, action, type Place } from "../ports/action.ts";
import type { Block, Shown } from "../ports/view.ts";
import { type KnownProject, knownProject, shortPath } from "../project/known-project.ts";
import { findProject } from "../project/project.ts";
import { seenProjects } from "../project/project-registry.ts";

/** Each action returns what is known about the project afterwards. */
const SHOWN = { json: toJson, view: blocks };

const show = action({
  name: "project show",
  about: "show names, git remote and other places of the project",
  examples: [["continuo project show --project ~/work/shop", "show it for another folder"]],
  effect: "reads",
  input: fields({ project: PROJECT }),
  run: ({ project }, place) => reported(place, project),
  ...SHOWN,
});

const rename = action({
  name: "project name",
  about: "call the project NAME in notes and lists",
  examples: [["continuo project name shop", "rename the current project"]],
  effect: "writes",
  input: fields({ name: text("what you call the project", { typed: "rest" }), project: PROJECT }),
  run: ({ name, project }, place) => changed(place, project, () => ({ projectName: oneLine(name.trim()) })),
  ...SHOWN,
});

const alias = action({
  name: "project alias",
  about: "add other names, or folders where it was before",
  examples: [["continuo project alias old-shop ~/work/old-shop", "add a name and a former folder"]],
  effect: "writes",
  input: fields({
    names: texts("another name, or a folder where the project was before", { typed: "rest", value: "ALIAS" }),
    project: PROJECT,
  }),
  run({ names, project }, place) {
    const given = names.map((one) => folderOrName(one, place));
    return changed(place, project, ({ aliases = [] }) => ({ aliases: [...new Set([...aliases, ...given])] }));
  },
  ...SHOWN,
});

const sharing = (name: "separate" | "share", about: string, example: string) =>
  action({
    name: `project ${name}`,
    about,
    examples: [[`continuo project ${name}`, example]],
    effect: "writes",
    input: fields({ project: PROJECT }),
    run: ({ project }, place) => changed(place, project, () => ({ separate: name === "separate" })),
    ...SHOWN,
  });
const separate = sharing(
  "separate",
  "share no notes and sessions with other clones",
  "keep this clone apart",
);
const share = sharing(
  "share",
  "share notes and sessions with other clones again",
  "undo continuo project separate",
);

const reset = action({
  name: "project reset",
  about: "forget the name, the aliases and the separation",
  guide: "It asks first, and prints the commands that set them again.",
  examples: [["continuo project reset", "recognise the project by its folder and remote alone"]],
  effect: "writes",
  input: fields({ project: PROJECT }),
  asks({ project }, place) {
    if (ownSettings(place, project) === undefined) return undefined;
    const { name } = known(place, project);
    return {
      ask: `Forget the name, the aliases and the separation of ${oneLine(name)}?`,
      unasked: notAsked(),
      declined: { data: toJson(reported(place, project)), text: "Nothing was changed." },
    };
  },
  async run({ project }, place) {
    const before = ownSettings(place, project);
    if (before !== undefined) await changeSetting(place, ["projects", keyOf(place, project)], undefined);
    return { ...reported(place, project), undo: commandsFor(before ?? {}) };
  },
  ...SHOWN,
});

interface Reported {
  readonly project: KnownProject;
  readonly separate: boolean;
  readonly otherPlaces: readonly string[];
  /** The commands that restore the forgotten settings. */
  readonly undo?: readonly string[];
}

function reported(place: Place, folder: string | undefined): Reported {
  const project = known(place, folder);
  const { separate: isSeparate = false } = ownSettings(place, folder) ?? {};
  return { project, separate: isSeparate, otherPlaces: otherPlaces(project, place) };
}

function toJson({ project, separate: isSeparate, otherPlaces: places }: Reported) {
  return { ...project, separate: isSeparate, otherPlaces: places };
}

function blocks(
  { project, separate: isSeparate, otherPlaces: places, undo = [] }: Reported,
  shown: Shown,
): readonly Block[] {
  const [, ...others] = project.names;
  return [
    ...[
      `Project  ${shown.paint("bold", oneLine(project.name))}`,
      `Folder   ${oneLine(shortPath(project.root, shown.env))}`,
      `Remote   ${oneLine(project.remote ?? "none")}`,
      ...(others.length === 0 ? [] : [`Also     ${oneLine(others.join(", "))}`]),
    ].map((line) => ({ text: line, hang: 9 })),
    ...[
      `Notes written here get project_id: ${oneLine(project.identity)}`,
      ...places.map((one) => `Shares notes and sessions with ${oneLine(one)}`),
      ...(isSeparate ? ["Shares nothing with other clones. To share again: continuo project share"] : []),
    ].map((line) => ({ text: line, hang: 2 })),
    ...undo.map((command) => ({ undo: command })),
    {
      next: [
        ["continuo project name NAME", "Call it something else"],
        ["continuo project alias FOLDER", "Add a folder where it was before"],
      ],
    },
  ];
}

async function changed(
  place: Place,
  folder: string | undefined,
  settings: (before: Partial<ProjectSettings>) => Partial<ProjectSettings>,
): Promise<Reported> {
  await changeSetting(place, ["projects", keyOf(place, folder)], () => {
    const before = ownSettings(place, folder) ?? {};
    const after = Object.entries({ ...before, ...settings(before) }).filter(
      ([, value]) => value !== "" && value !== false && !(Array.isArray(value) && value.length === 0),
    );
    return after.length === 0 ? undefined : Object.fromEntries(after);
  });
  return reported(place, folder);
}

/** The commands that restore these settings. */
function commandsFor({
  projectName,
  aliases = [],
  separate: isSeparate,
}: Partial<ProjectSettings>): string[] {
  const words = (all: readonly string[]) => all.map(commandWord).join(" ");
  return [
    ...(projectName ? [`continuo project name -- ${words([projectName])}`] : []),
    ...(aliases.length > 0 ? [`continuo project alias -- ${words(aliases)}`] : []),
    ...(isSeparate === true ? ["continuo project separate"] : []),
  ];
}

/** A word with a slash that begins like a path is a folder; `acme/shop` is a name. */
function folderOrName(said: string, { cwd, env }: Place): string {
  return /^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/])/.test(said)
    ? shortPath(said.startsWith("~") ? said : resolve(cwd, said), env)
    : oneLine(said.trim());
}

function known({ home, env, cwd }: Place, folder: string | undefined): KnownProject {
  const at = folderAt(cwd, folder);
  return knownProject(findProject(at), { home, env, cwd: at });
}

/** Other clones of the remote that share notes and sessions with this one. */
function otherPlaces({ id, ids }: KnownProject, { home, env }: Place): string[] {
  const seen = new Map(seenProjects(home).map((one) => [one.id, one.root]));
  return ids
    .filter((one) => one !== id)
    .map((one) => seen.get(one) ?? one)
    .map((root) => `${shortPath(root, env)}${existsSync(root) ? "" : " (no longer there)"}`);
}

function ownSettings({ home, env, cwd }: Place, folder: string | undefined): ProjectSettings | undefined {
  const { config } = loadConfig(home.config, [], env);
  return settingsFor(config.projects, findProject(folderAt(cwd, folder)), env);
}

/** The project's key in the config. */
function keyOf({ cwd, env }: Place, folder: string | undefined): string {
  return shortPath(findProject(folderAt(cwd, folder)).root, env);
}

function folderAt(cwd: string, folder = "."): string {
  const at = resolve(cwd, folder);
  if (statSync(at, { throwIfNoEntry: false })?.isDirectory() === true) return at;
  throw new ContinuoError("no-such-folder", `${oneLine(at)} is not a folder`, {
    hint: "--project needs a folder that exists",
  });
}

/** How a folder is recognised as a project, and the user's settings for it. */
export const PROJECT_GROUP = {
  name: "project",
  about: "show or name this project, link its clones",
  section: "more",
  guide:
    "Clones of one git remote are one project: they share notes and sessions. Names and former folders help to find notes and sessions of a project that moved.",
  examples: [["continuo project", "show how the current folder is recognised"]],
  actions: [show, rename, alias, separate, share, reset],
} satisfies ActionGroup;
