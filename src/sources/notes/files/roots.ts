import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, resolve } from "node:path";
import { fingerprint } from "../../../base/fingerprint.ts";
import { wayInside } from "../../../base/inside.ts";
import type { Problem } from "../../../base/settings.ts";
import { slugify } from "../../../base/slug.ts";
import { type Home, userHome } from "../../../store/home.ts";

/** A folder whose Markdown files are notes. */
export interface MemoryRoot {
  /** Absent for the main root, whose notes are `memory://…`. Notes of other roots are `memory://@name/…`. */
  readonly name?: string;
  /** Absolute. The folder may not exist yet. */
  readonly path: string;
  readonly kind: RootKind;
  /** False for other programs' folders, which are only read. */
  readonly isWritable: boolean;
}

export type RootKind =
  | "maenifold"
  | "continuo"
  | "obsidian"
  | "basic-memory"
  | "claude-code"
  | "logseq"
  | "plain";

export interface RootSettings {
  /** A maenifold folder, or a folder of notes itself. */
  readonly root?: string | undefined;
  /** Other programs' folders that are also read. */
  readonly also?: readonly string[] | undefined;
}

/** The notes folders: the main one first, then those that are only read. */
export function findRoots(
  settings: RootSettings,
  home: Home,
  env: NodeJS.ProcessEnv,
): { roots: MemoryRoot[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const main = mainRoot(settings.root, home, env, problems);
  const roots = [main];
  for (const given of settings.also ?? []) {
    const path = absolute(given, env);
    const reason = path === undefined ? "is not an absolute path" : whyRejected(path, roots);
    if (path === undefined || reason !== undefined) {
      problems.push({
        key: "memory.also",
        message: `${given} ${reason}; it is ignored`,
        hint: "give the full path of a folder with notes",
      });
      continue;
    }
    const kind = kindOf(path);
    roots.push({ name: nameFor(path, kind, roots), path, kind, isWritable: false });
  }
  return { roots, problems };
}

function mainRoot(
  given: string | undefined,
  home: Home,
  env: NodeJS.ProcessEnv,
  problems: Problem[],
): MemoryRoot {
  const fromEnv = env["MAENIFOLD_ROOT"];
  // As in maenifold: a data folder with the notes in a subfolder.
  if (fromEnv) return { path: join(resolve(fromEnv), "memory"), kind: "maenifold", isWritable: true };
  const chosen = given ? absolute(given, env) : undefined;
  if (chosen !== undefined) {
    const inner = join(chosen, "memory");
    const path = isFolder(inner) ? inner : chosen;
    return { path, kind: kindOf(path), isWritable: true };
  }
  if (given) {
    problems.push({
      key: "memory.root",
      message: `${given} is not an absolute path; it is ignored`,
      hint: "write the folder's full path",
    });
  }
  const usual = env["HOME"] || env["USERPROFILE"] ? join(userHome(env), "maenifold", "memory") : undefined;
  if (usual !== undefined && isFolder(usual)) return { path: usual, kind: "maenifold", isWritable: true };
  return { path: join(home.root, "memory"), kind: "continuo", isWritable: true };
}

/** The program that the folder belongs to, recognised by files that the program leaves in it. */
function kindOf(path: string): RootKind {
  if (isFolder(join(path, ".obsidian"))) return "obsidian";
  if (existsSync(join(path, "logseq", "config.edn"))) return "logseq";
  if (existsSync(join(path, "..", "memory.db")) && basename(path) === "memory") return "maenifold";
  if (CLAUDE_MEMORY.test(path)) return "claude-code";
  return basename(path) === "basic-memory" ? "basic-memory" : "plain";
}

/** `~/.claude/projects/<project>/memory`, or the same below another configuration folder. */
const CLAUDE_MEMORY = /[/\\]projects[/\\]([^/\\]+)[/\\]memory$/;

function nameFor(path: string, kind: RootKind, roots: readonly MemoryRoot[]): string {
  const project = kind === "claude-code" ? CLAUDE_MEMORY.exec(path)?.[1] : undefined;
  const name = slugify(project === undefined ? basename(path) : `claude ${project}`);
  const isTaken = roots.some((root) => root.name === name);
  return isTaken ? `${name}-${fingerprint(path).slice(0, 6)}` : name;
}

function whyRejected(path: string, roots: readonly MemoryRoot[]): string | undefined {
  if (!isFolder(path)) return "is not a folder";
  for (const root of roots) {
    if (holds(root.path, path)) return `is inside ${root.path}, which is read already`;
    if (holds(path, root.path)) return `contains ${root.path}, which is read already`;
  }
  return undefined;
}

function holds(outer: string, inner: string): boolean {
  return wayInside(real(outer), real(inner)) !== undefined;
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // it does not exist yet
  }
}

function absolute(given: string, env: NodeJS.ProcessEnv): string | undefined {
  const path = /^~(?=$|[/\\])/.test(given) ? join(userHome(env), given.slice(1)) : given;
  return isAbsolute(path) ? resolve(path) : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
