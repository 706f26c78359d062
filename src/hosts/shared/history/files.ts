import { type Dirent, readdirSync } from "node:fs";
import { sep } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import type { Discovery, Header, SessionFile } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";

/** Files below a folder, as deep as asked. One that is not there has none; one that cannot be listed is told of. */
export function* filesUnder(
  folder: string,
  depth: number,
  onFailure: Discovery["onFailure"],
): Generator<string> {
  for (const entry of listing(folder, onFailure)) {
    const path = folder + sep + entry.name; // `join` would take as long as all the rest
    if (entry.isDirectory() && depth > 0) yield* filesUnder(path, depth - 1, onFailure);
    else if (entry.isFile()) yield path;
  }
}

function listing(folder: string, onFailure: Discovery["onFailure"]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") onFailure?.(error.message);
    return [];
  }
}

/** Keeps the sessions of a project, and tells each one's folder. Without a project nothing is opened. */
export function ofProject(
  files: readonly SessionFile[],
  project: Project | undefined,
  headerOf: (file: SessionFile) => Header,
): SessionFile[] {
  if (project === undefined) return [...files];
  const known = new Map<string, boolean>();
  const belongs = (cwd: string): boolean => {
    const found = known.get(cwd) ?? findProject(cwd).id === project.id;
    known.set(cwd, found);
    return found;
  };
  return files.flatMap((file) => {
    const cwd = file.cwd ?? headerOf(file).cwd;
    return cwd !== undefined && belongs(cwd) ? [{ ...file, cwd }] : [];
  });
}
