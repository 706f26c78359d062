import { dirname, join } from "node:path";
import { isRecord, parseBounded } from "../../base/json.ts";
import { readText } from "../../store/read-file.ts";

const MAX_BYTES = 64 * 1024;
/** The most folders between a folder and the project's root. */
const MAX_FOLDERS = 12;
const MAX_NAME = 100;

/** Where a package's name is. Patterns match a line: a TOML parser would be too much for one name. */
const MANIFESTS: readonly { readonly file: string; readonly name: (text: string) => string | undefined }[] = [
  { file: "package.json", name: jsonName },
  { file: "Cargo.toml", name: (text) => tomlName(text, "package") },
  { file: "pyproject.toml", name: (text) => tomlName(text, "project") ?? tomlName(text, "tool.poetry") },
  { file: "go.mod", name: (text) => /^module[ \t]+"?([^\s"]+)/m.exec(text)?.[1] },
  { file: "composer.json", name: jsonName },
];

/** Names of the packages from this folder up to the project's root, the nearest first. Links that lead outside are ignored. */
export function packageNames(folder: string, root: string): string[] {
  const names: string[] = [];
  for (const at of foldersUp(folder, root)) {
    for (const { file, name } of MANIFESTS) {
      const text = readInside(join(at, file), root);
      const found = text === undefined ? undefined : name(text);
      if (found !== undefined && isName(found)) names.push(found);
    }
  }
  return [...new Set(names)];
}

/** The files that may contain these names, whether they exist or not. */
export function manifestPaths(folder: string, root: string): string[] {
  return foldersUp(folder, root).flatMap((at) => MANIFESTS.map(({ file }) => join(at, file)));
}

function foldersUp(folder: string, root: string): string[] {
  const folders = [folder.startsWith(root) ? folder : root];
  for (let at = folders[0] ?? root; folders.length < MAX_FOLDERS && at !== root && dirname(at) !== at; ) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}

function readInside(path: string, root: string): string | undefined {
  try {
    return readText(path, { maxBytes: MAX_BYTES, root });
  } catch {
    return undefined; // absent, unreadable, too large or outside the project: no name
  }
}

function jsonName(text: string): string | undefined {
  try {
    const value = parseBounded(text);
    const name = isRecord(value) ? value["name"] : undefined;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined; // a broken manifest names nothing
  }
}

function tomlName(text: string, section: string): string | undefined {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.trim() === `[${section}]`);
  if (at === -1) return undefined;
  for (const line of lines.slice(at + 1)) {
    if (line.trimStart().startsWith("[")) return undefined;
    const name = /^\s*name\s*=\s*["']([^"']+)["']/.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME && /^[\p{L}\p{N}@][\p{L}\p{N}@._/ -]*$/u.test(name);
}
