import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { othersFirst } from "../../../base/slices.ts";
import { findProject } from "../../../moments/project/project.ts";
import { seenProjects } from "../../../moments/project/project-registry.ts";
import { folderOfUser, hostsIn } from "../../../moments/state/session-meta.ts";
import { MAX_STATE_BYTES } from "../../../moments/state/session-state.ts";
import { findRoots } from "../../../sources/notes/files/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/notes/settings.ts";
import { readText } from "../../../store/read-file.ts";
import type { Web } from "../web.ts";
import { holds } from "./holds.ts";

/** A folder whose files the page may show. */
export interface Root {
  /** Its real path. */
  readonly path: string;
  readonly kind: "project" | "memory";
  /** False for other programs' notes, which Continuo only reads. */
  readonly isWritable: boolean;
}

/** The part of `Web` that is needed to determine the roots. */
export type RootsWorld = Pick<Web, "home" | "env" | "cwd" | "sessions">;

/** More folders than anyone works in. */
const MAX_FOLDERS = 2_000;
const MAX_STATES = 500;
/** After this many folders, other requests get their turn. */
const SLICE = 50;

/** Facts that never change, cached: the project of a folder, and the project of a session's state. */
interface Learned {
  readonly projects: Map<string, string>;
  readonly states: Map<string, string | undefined>;
}
const learnedBy = new WeakMap<object, Learned>();

/**
 * The roots, cheapest to find first; a search stops at the first match. States of sessions that are not indexed yet
 * come last, because each must be read.
 */
export async function* knownRoots(web: RootsWorld): AsyncGenerator<Root> {
  const learned = learnedBy.get(web) ?? { projects: new Map(), states: new Map() };
  learnedBy.set(web, learned);
  const limits = limitsOf(web);
  for (const root of findRoots(rootSettings(memorySettings(web.home, web.env)), web.home, web.env).roots) {
    const path = realFolder(root.path);
    if (path !== undefined && !isTooWide(path, limits.user))
      yield { path, kind: "memory", isWritable: root.isWritable };
  }
  const done = new Set<string>();
  let count = 0;
  for await (const folder of folders(web, learned)) {
    if (++count % SLICE === 0) await othersFirst();
    const path = realFolder(folder);
    if (path === undefined || done.has(path)) continue;
    done.add(path);
    if (mayBeProject(path, limits)) yield { path, kind: "project", isWritable: true };
  }
}

async function* folders(web: RootsWorld, learned: Learned): AsyncGenerator<string> {
  yield projectOf(web.cwd, learned);
  const sessions = await web.sessions();
  for (const cwd of sessions.folders(MAX_FOLDERS)) if (isAbsolute(cwd)) yield projectOf(cwd, learned);
  for (const { root } of seenProjects(web.home)) if (isAbsolute(root)) yield root;
  for (const path of stateFiles(web)) {
    if (!learned.states.has(path)) learned.states.set(path, rootInState(path));
    const root = learned.states.get(path);
    if (root !== undefined && isAbsolute(root)) yield root;
  }
}

function projectOf(folder: string, { projects }: Learned): string {
  const known = projects.get(folder);
  if (known !== undefined) return known;
  const { root } = findProject(folder);
  projects.set(folder, root);
  return root;
}

function stateFiles({ home }: RootsWorld): string[] {
  return hostsIn(home)
    .flatMap((host) => readdirSync(join(home.state, host)).map((name) => join(home.state, host, name)))
    .filter((path) => path.endsWith(".json") && !path.endsWith(".meta.json"))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_STATES)
    .map(({ path }) => path);
}

function rootInState(path: string): string | undefined {
  try {
    const state = parseBounded(readText(path, { maxBytes: MAX_STATE_BYTES }));
    const project = isRecord(state) ? state["project"] : undefined;
    return isRecord(project) && typeof project["root"] === "string" ? project["root"] : undefined;
  } catch {
    return undefined; // damaged or deleted: the session's own hooks repair it
  }
}

/** Whether the page may let an agent work in this folder, and show its files. */
export function isAllowedProject(web: Pick<Web, "home" | "env">, folder: string): boolean {
  const path = realFolder(folder);
  return path !== undefined && mayBeProject(path, limitsOf(web));
}

function mayBeProject(path: string, limits: ReturnType<typeof limitsOf>): boolean {
  return !isTooWide(path, limits.user) && !isInside(path, limits.home);
}

/** The real paths of the user's home and Continuo's home. Neither is a root, nor is any folder above them. */
export function limitsOf({ home, env }: Pick<Web, "home" | "env">): {
  user: string | undefined;
  home: string;
} {
  const user = folderOfUser(env);
  return {
    user: user === undefined ? undefined : (realFolder(user) ?? user),
    home: realFolder(home.root) ?? home.root,
  };
}

/** Whether this is the whole disk, a folder above all of a user's files, or a virtual file system. */
function isTooWide(path: string, user: string | undefined): boolean {
  return dirname(path) === path || SYSTEM.test(path) || (user !== undefined && isInside(user, path));
}

export const SYSTEM = /^\/(proc|sys|dev)(\/|$)/;

function isInside(path: string, folder: string): boolean {
  return path === folder || holds(folder, path);
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // deleted or not accessible
  }
}
