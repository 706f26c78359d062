import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { HostTools } from "../port/hook-host.ts";
import { type Payload, text } from "../shared/fields.ts";
import { reads } from "../shared/tool-use/argument-edits.ts";
import { type HostTool, hostTools } from "../shared/tool-use/host-tools.ts";
import { patchEdits, patchedFiles } from "../shared/tool-use/patches.ts";

/**
 * Codex reads files through its shell and edits them with patches, so file names are inside commands. Only certain ones
 * count: the headers of a patch, and file arguments of a few reading programs.
 */
export function toolsWith(isFile: (path: string) => boolean): HostTools {
  const shell: HostTool = {
    command: commandIn,
    folder: (input) => text(input, "workdir"),
    files(input, cwd) {
      const command = commandIn(input) ?? "";
      const edited = command.includes(PATCH) ? patchedFiles(command) : [];
      if (edited.length > 0) return edited;
      const read = readBy(command, cwd).filter(isFile);
      return read.map((path) => ({ path, access: "read" }));
    },
  };
  return hostTools((name, input) => {
    if (name === "view_image") return reads("path");
    const patch = patchIn(name, input);
    if (patch !== undefined) return { files: () => patchedFiles(patch), edits: () => patchEdits(patch) };
    // The name of an MCP tool contains its server's name, and its `command` argument may mean anything.
    return name.includes("__") || commandIn(input) === undefined ? undefined : shell;
  });
}

export const tools = toolsWith(onDisk);

const PATCH = "*** Begin Patch";

/** The patch of a call that only applies a patch: hooks pass it as `command`, transcripts as `input`. */
function patchIn(name: string, input: Payload): string | undefined {
  const { command } = input;
  if (Array.isArray(command) && command[0] === "apply_patch") return String(command[1]);
  return name === "apply_patch" ? (text(input, "command") ?? text(input, "input") ?? "") : undefined;
}

/** Codex's shell tool has had several names, and its argument is a command line or a list of words. */
function commandIn(input: Payload): string | undefined {
  const command = input["cmd"] ?? input["command"];
  if (command === undefined) return undefined;
  const words = (Array.isArray(command) ? command : [command]).filter((word) => typeof word === "string");
  // In `bash -lc "…"` the last word is the command.
  return words.length === 3 && /sh$/.test(words[0] ?? "") ? words[2] : words.join(" ");
}

/**
 * Whether the output for the model says that a command failed: its first lines, before the command's output, contain
 * the exit code. Hooks get only the command's output.
 */
export function hasFailedCommand(text: string): boolean {
  const beginning = text.slice(0, 300).split(/^(?:Output|Total output lines):/m)[0] ?? "";
  return EXIT_CODE.test(beginning) || OLD_EXIT_CODE.test(text.slice(-200));
}

const EXIT_CODE = /^(?:Exit code:|Process exited with code) -?[1-9]/m;
/** Older versions wrote the output and its metadata as JSON. */
const OLD_EXIT_CODE = /"metadata":\{"exit_code":-?[1-9]\d*[,}][^{}]*\}?\}$/;

const READERS = new Set(["cat", "head", "tail", "nl", "less", "more", "bat", "sed"]);

/** Absolute paths that may be files. They include the values of options; the caller checks which ones are files. */
function readBy(command: string, cwd: string): string[] {
  const paths: string[] = [];
  let folder = cwd;
  for (const part of command.split(/&&|\|\||[;|\n]/)) {
    const [program = "", ...rest] = words(part);
    if (program === "cd" && rest[0] !== undefined) folder = resolve(folder, rest[0]);
    // `sed -i` writes the file without showing it to the model.
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
