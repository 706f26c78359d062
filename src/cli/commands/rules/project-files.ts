import { readdirSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set([
  ".git",
  "node_modules",
  "vendor",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
]);
const MAX_FILES = 50_000;
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

/** A project's files with forward slashes, without what tools put there. Enough to tell whether a glob is dead. */
export function projectFiles(root: string): string[] {
  const found: string[] = [];
  let entries = 0;
  const walk = (folder: string, depth: number) => {
    for (const entry of list(join(root, folder))) {
      if (found.length >= MAX_FILES || ++entries > MAX_ENTRIES || depth > MAX_DEPTH) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path, depth + 1);
      else if (entry.isFile()) found.push(path);
    }
  };
  walk("", 0);
  return found;
}

function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that cannot be read holds no file that a rule could be about
  }
}
