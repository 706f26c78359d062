import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type FileAccess, projectPath } from "../../moments/working-set.ts";
import { text } from "../shared/fields.ts";

/**
 * Codex reads files through its shell and edits them with patches, so the files are named inside a command. Only what
 * is certain counts: the headers of a patch, and the arguments of a few reading programs that are files.
 */
export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
  isFile: (path: string) => boolean = onDisk,
): FileAccess[] {
  if (tool === "view_image") {
    const path = text(input, "path");
    return path === undefined ? [] : [{ path: projectPath(path, cwd, root), access: "read" }];
  }
  if (tool !== "Bash" && tool !== "apply_patch") return [];
  const command = text(input, "command") ?? text(input, "input") ?? "";
  const edited = patched(command).map(
    (path) => ({ path: projectPath(path, cwd, root), access: "edit" }) as const,
  );
  if (edited.length > 0 || tool === "apply_patch") return edited;
  return readBy(command, cwd)
    .filter(isFile)
    .map((path) => ({ path: projectPath(path, cwd, root), access: "read" }));
}

function patched(command: string): string[] {
  if (!command.includes("*** Begin Patch")) return [];
  const headers = command.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
  return [...headers].map((header) => (header[1] ?? "").trim());
}

const READERS = new Set(["cat", "head", "tail", "nl", "less", "more", "bat", "sed"]);

/** Absolute paths that may be files. Values of options are among them; the caller checks which ones are files. */
function readBy(command: string, cwd: string): string[] {
  const paths: string[] = [];
  let folder = cwd;
  for (const part of command.split(/&&|\|\||[;|\n]/)) {
    const [program = "", ...rest] = words(part);
    if (program === "cd" && rest[0] !== undefined) folder = resolve(folder, rest[0]);
    // `sed -i` writes the file; the model does not read it.
    const reads = READERS.has(program) && !(program === "sed" && rest.some((word) => /^-\w*i/.test(word)));
    if (reads)
      paths.push(...rest.filter((word) => !word.startsWith("-")).map((word) => resolve(folder, word)));
  }
  return paths;
}

function words(part: string): string[] {
  const found = part.match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return found.map((word) => word.replace(/^(['"])(.*)\1$/s, "$2"));
}

function onDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
