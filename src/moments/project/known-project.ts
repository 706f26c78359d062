import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ownerAndName, remoteOf } from "../../git/remote.ts";
import { loadConfig } from "../../store/config.ts";
import { type Home, userHome } from "../../store/home.ts";
import { type AllProjectSettings, folderOf, settingsFor } from "../../store/project-settings.ts";
import type { Project } from "../types.ts";
import { packageNames } from "./package-names.ts";
import { findProject } from "./project.ts";
import { seenProjects } from "./project-registry.ts";

/**
 * A project with everything that identifies it. Notes and past sessions are matched with it. Trust and guards never
 * are: they apply to one place, and a repository can write any remote into its own config.
 */
export interface KnownProject extends Project {
  /** Its display name: the user's `projectName`, else the remote's name, else the folder's. */
  readonly name: string;
  /** `host/owner/name` of its git remote. */
  readonly remote?: string;
  /** What new notes are stamped with: the remote, else the folder (`~/work/shop`). */
  readonly identity: string;
  /**
   * What its notes may be stamped with: first `identity`, then its folders on this machine and remotes among the user's
   * aliases. Nothing that a repository claims about itself.
   */
  readonly identities: readonly string[];
  /** All its names, beginning with `name`: also `owner/name`, packages, the folder, aliases. */
  readonly names: readonly string[];
  /** Ids of this project: its own first, then other clones and former places on this machine. */
  readonly ids: readonly string[];
}

interface KnownProjectOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in the project where the session works; that folder's package counts too. */
  readonly cwd?: string;
  /** As in the config; read from the home unless given. */
  readonly settings?: AllProjectSettings;
}

export function knownProject(project: Project, options: KnownProjectOptions): KnownProject {
  const { home, env, cwd = project.root } = options;
  const all = options.settings ?? loadConfig(home.config, [], env).config.projects;
  const remote = remoteOf(project.id);
  const {
    projectName = "",
    aliases = [],
    separate = false,
  } = settingsFor(all, { root: project.root, remote }, env) ?? {};
  const folders = aliases.map((one) => folderOf(one, env)).filter((one) => one !== undefined);
  const name = projectName || (remote === undefined || separate ? project.label : basename(remote));
  const names = [
    name,
    ...(remote === undefined ? [] : [ownerAndName(remote), basename(remote)]),
    ...packageNames(cwd, project.root),
    project.label,
    ...aliases.filter((one) => folderOf(one, env) === undefined),
  ];
  const clones =
    remote === undefined || separate
      ? []
      : seenProjects(home).filter((one) => one.remote === remote && !isSeparate(one, all, env));
  const place = shortPath(placeOf(project), env);
  const identity = remote === undefined || separate ? place : remote;
  const others = [
    ...clones.map((one) => placeOf(one)),
    ...folders,
    ...folders.map((one) => placeOf(findProject(one))),
  ];
  return {
    ...project,
    name,
    ...(remote === undefined ? {} : { remote }),
    identity,
    identities: [
      ...new Set([
        identity,
        place,
        ...others.map((one) => shortPath(one, env)),
        ...aliases.filter((one) => one.includes("/") && folderOf(one, env) === undefined),
      ]),
    ],
    names: [...new Set(names.filter((one) => one.trim() !== ""))],
    ids: [...new Set([project.id, ...clones.flatMap(idsOf), ...folders.map((one) => findProject(one).id)])],
  };
}

/** Sessions indexed after their folder was moved or removed use the folder as their project's id. */
function idsOf({ id, root }: Pick<Project, "id" | "root">): string[] {
  return existsSync(root) ? [id] : [id, root];
}

/**
 * The folder of a project, the same for all its worktrees. A bare repository is its own folder; a submodule's is its
 * root.
 */
function placeOf({ id, root }: Pick<Project, "id" | "root">): string {
  if (basename(id) === ".git") return dirname(id);
  return id.endsWith(".git") ? id : root;
}

function isSeparate(
  { root, remote }: { readonly root: string; readonly remote: string },
  all: AllProjectSettings,
  env: NodeJS.ProcessEnv,
): boolean {
  return settingsFor(all, { root, remote }, env)?.separate === true;
}

/** Uses `~` for the user's home, because notes may be synced between machines. */
export function shortPath(path: string, env: NodeJS.ProcessEnv): string {
  try {
    const home = userHome(env);
    return path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`)
      ? `~${path.slice(home.length)}`
      : path;
  } catch {
    return path; // no home folder is known
  }
}
