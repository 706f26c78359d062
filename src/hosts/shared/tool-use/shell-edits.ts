import { posix } from "node:path";
import { type Redirect, type Scanned, scanShell, type Word } from "../../../moments/shell/scan.ts";
import { innerCommand, nameOf, unwrapped } from "../../../moments/shell/wrappers.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import { wholeText } from "./added-lines.ts";
import { diffEdits, patchEdits } from "./patches.ts";
import { changedPaths } from "./unseen-edits.ts";

/**
 * What a shell command writes into files with a text that is in the command. Other files that it names and changes are edits
 * without text: what was checked before they changed is too old.
 */

/** Shells in shells. */
const MOST_DEPTH = 2;

export function shellEdits(command: string, depth = MOST_DEPTH): Edit[] {
  const folders = new Map<number, string | undefined>([[0, ""]]);
  return scanShell(command).commands.flatMap((scanned) => {
    const words = unwrapped(scanned.words);
    const folder = folders.has(scanned.group) ? folders.get(scanned.group) : folders.get(0);
    const name = nameOf(words[0]?.text ?? "");
    if (name === "cd" || name === "pushd") folders.set(scanned.group, entered(folder, words[1]));
    const inner = depth > 0 ? innerCommand(words) : undefined;
    const edits =
      inner === undefined ? allEdits(name, words.slice(1), scanned) : shellEdits(inner, depth - 1);
    return edits.flatMap((edit) => inFolder(folder, edit));
  });
}

/** The folder after a change into another one; undefined if it is not known. */
function entered(folder: string | undefined, to: Word | undefined): string | undefined {
  if (to?.isPlain !== true || to.text === "-") return undefined;
  return posix.isAbsolute(to.text) ? to.text : folder === undefined ? undefined : posix.join(folder, to.text);
}

function inFolder(folder: string | undefined, edit: Edit): Edit[] {
  if (posix.isAbsolute(edit.path) || folder === "") return [edit];
  return folder === undefined ? [] : [{ ...edit, path: posix.join(folder, edit.path) }];
}

function allEdits(name: string, args: readonly Word[], scanned: Scanned): Edit[] {
  const seen = editsOf(name, args, scanned);
  const unseen = changedPaths(name, args, scanned.redirects).filter((path) =>
    seen.every((edit) => edit.path !== path),
  );
  return [...seen, ...unseen.map((path): Edit => ({ path, kind: "part", hunks: [] }))];
}

function editsOf(name: string, args: readonly Word[], { redirects }: Scanned): Edit[] {
  const document = redirects.find(({ body }) => body !== undefined);
  const body = document === undefined ? undefined : bodyOf(document);
  switch (name) {
    case "cat":
      return body !== undefined && args.every(({ text }) => text === "-") ? written(redirects, body) : [];
    case "tee": {
      const isAppending = args.some(({ text }) => text === "-a" || text === "--append");
      const files = args.filter(({ text, isPlain }) => isPlain && !text.startsWith("-"));
      return body === undefined ? [] : files.map(({ text }) => writing(text, body, isAppending));
    }
    case "echo":
    case "printf": {
      const text = args.every(({ isPlain }) => isPlain) ? printed(name, args) : undefined;
      return text === undefined ? [] : written(redirects, text);
    }
    case "apply_patch":
      return patchEdits(body ?? args[0]?.text ?? "");
    case "git":
      return body !== undefined && args[0]?.text === "apply" ? diffEdits(body) : [];
    case "patch":
      return body === undefined ? [] : diffEdits(body);
    default:
      return [];
  }
}

/** The text of a here-document. Without quotes around its delimiter the shell takes some backslashes out. */
function bodyOf({ body = "", target }: Redirect): string {
  return target.isQuoted ? body : body.replace(/\\([$`\\])/g, "$1");
}

/** What `echo` or `printf` prints; undefined if its options or its format say more than the text. */
function printed(name: string, args: readonly Word[]): string | undefined {
  const [first, ...rest] = args.map(({ text }) => text);
  if (first === undefined) return undefined;
  if (name === "echo") {
    if (first.startsWith("-")) return first === "-n" ? rest.join(" ") : undefined;
    return [first, ...rest].join(" ");
  }
  if (first === "%s\\n" || first === "%s") return rest.join("\n");
  if (first.includes("%") || rest.length > 0) return undefined;
  return first.replace(/\\([nt\\"])/g, (_, one: string) => (one === "n" ? "\n" : one === "t" ? "\t" : one));
}

/** The files that the command's own output goes to. */
function written(redirects: readonly Redirect[], text: string): Edit[] {
  return redirects
    .filter(({ operator, descriptor }) => WRITING.has(operator) && /^1?$/.test(descriptor))
    .filter(({ target }) => target.isPlain && target.text !== "" && !target.text.startsWith("/dev/"))
    .map(({ operator, target }) => writing(target.text, text, operator === ">>"));
}

const WRITING: ReadonlySet<string> = new Set([">", ">>", ">|"]);

function writing(path: string, text: string, isAppending: boolean): Edit {
  return isAppending
    ? { path, kind: "part", hunks: wholeText(text) }
    : { path, kind: "whole", hunks: wholeText(text, 1) };
}
