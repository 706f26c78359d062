import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { isRecord } from "../base/json.ts";
import { type Problem, readSettings, type Schema, type Values } from "../base/settings.ts";
import { userHome } from "./home.ts";

/** The user's settings for one project. Only in the user's own config: a repository must not choose its identity. */
const PROJECT_SETTINGS = {
  projectName: { kind: "text", default: "", help: "what the project is called in notes and lists" },
  aliases: {
    kind: "texts",
    default: [],
    help: "other names of the project, and folders where it was before",
  },
  separate: {
    kind: "switch",
    default: false,
    help: "true: this folder shares no notes and sessions with other clones of its remote",
  },
} as const satisfies Schema;

export type ProjectSettings = Values<typeof PROJECT_SETTINGS>;

/** By the key in the file: a folder (`~/work/shop`), or a remote (`acme/shop`, `github.com/acme/shop`). */
export type AllProjectSettings = Readonly<Record<string, ProjectSettings>>;

export function readProjectSettings(raw: unknown): { values: AllProjectSettings; problems: Problem[] } {
  const problems: Problem[] = [];
  if (raw !== undefined && !isRecord(raw))
    problems.push({
      key: "projects",
      message: '"projects" must be an object',
      hint: 'write "projects": { "~/work/shop": { "projectName": "shop" } }',
    });
  const values = Object.entries(isRecord(raw) ? raw : {}).map(([key, given]) => {
    const read = readSettings(given, PROJECT_SETTINGS, {}, `projects.${key}.`);
    problems.push(...read.problems);
    return [key, read.values] as const;
  });
  return { values: Object.fromEntries(values), problems };
}

/** The user's settings for the project at this root with this remote. A folder is more specific than a remote. */
export function settingsFor(
  all: AllProjectSettings,
  project: { readonly root: string; readonly remote?: string | undefined },
  env: NodeJS.ProcessEnv,
): ProjectSettings | undefined {
  const entries = Object.entries(all);
  const byFolder = entries.find(([key]) => folderOf(key, env) === project.root);
  const { remote } = project;
  const byRemote =
    remote === undefined
      ? undefined
      : entries.find(([key]) => key.includes("/") && `/${remote}`.endsWith(`/${key.toLowerCase()}`));
  return (byFolder ?? byRemote)?.[1];
}

/** The folder that a setting names; undefined if it is not a folder's path. */
export function folderOf(text: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = isAbsolute(text) ? resolve(text) : belowHome(text, env);
  if (path === undefined) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return path; // a deleted folder can still be a former place of a project
  }
}

function belowHome(text: string, env: NodeJS.ProcessEnv): string | undefined {
  try {
    return /^~[\\/]/.test(text) ? join(userHome(env), text.slice(2)) : undefined;
  } catch {
    return undefined; // no home folder is known, so the tilde cannot be expanded
  }
}
