import { posix } from "node:path";
import { type Redirect, type Scanned, scanShell, type Word } from "../../../moments/shell/scan.ts";
import { innerCommand, nameOf, unwrapped } from "../../../moments/shell/wrappers.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import { wholeText } from "./added-lines.ts";
import { diffEdits, patchEdits } from "./patches.ts";

/**
 * What a shell command writes to files, if the text is in the command. Other files that it changes are edits without
 * text, so that earlier checks of them count as outdated.
 */

/** How deeply nested shells are parsed. */
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

/** The folder after a `cd`; undefined if unknown. */
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

/** The text of a here-document. Unless its delimiter is quoted, the shell removes some backslashes. */
function bodyOf({ body = "", target }: Redirect): string {
  return target.isQuoted ? body : body.replace(/\\([$`\\])/g, "$1");
}

/** What `echo` or `printf` prints; undefined if options or a format change the text. */
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

/** The files to which the command's own output goes. */
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

/** The files that a shell command changes with text from elsewhere, as far as the command names them. */
function changedPaths(name: string, args: readonly Word[], redirects: readonly Redirect[]): string[] {
  const named = changedBy(name, args).flatMap(({ text, isPlain }) => (isPlain ? [text] : []));
  const files = redirects
    .filter(({ operator, descriptor }) => OUTPUT.has(operator) && /^1?$/.test(descriptor))
    .flatMap(({ target: { text, isPlain } }) => (isPlain ? [text] : []));
  return [...new Set([...named, ...files])].filter((path) => path !== "" && !path.startsWith("/dev/"));
}

const OUTPUT: ReadonlySet<string> = new Set([">", ">>", ">|", "&>", "&>>"]);

function changedBy(name: string, args: readonly Word[]): readonly Word[] {
  switch (name) {
    case "sed":
      return inPlace(args, /^(?:-[nErsuz]*i|--in-place)/, /^-[a-zA-Z]*[ef]$|^--(?:expression|file)$/);
    case "perl":
      return inPlace(args, /^-[a-zA-Z0-9]*i/, /^-[a-zA-Z0-9]*[eE]$/);
    case "tee":
      return operands(args);
    case "cp":
    case "mv": {
      const files = operands(args);
      const to = files.at(-1);
      if (to === undefined || files.length < 2) return [];
      const from = files.slice(0, -1);
      const isFolder = from.length > 1 || to.text.endsWith("/");
      const written = isFolder ? from.map((one) => inside(to, one)) : [to];
      return name === "mv" ? [...from, ...written] : written;
    }
    case "git":
      return changedByGit(args);
    default:
      return [];
  }
}

/** `git checkout name` may refer to a branch: only what follows `--` is certainly a file. */
function changedByGit([subcommand, ...args]: readonly Word[]): readonly Word[] {
  const dashes = args.findIndex(({ text }) => text === "--");
  switch (subcommand?.text) {
    case "checkout":
      return dashes === -1 ? [] : args.slice(dashes + 1);
    case "restore": {
      const isStaged = args.some(({ text }) => text === "--staged" || text === "-S");
      const isWorktree = args.some(({ text }) => text === "--worktree" || text === "-W");
      return isStaged && !isWorktree ? [] : operands(args, /^(?:-s|--source)$/);
    }
    case "mv":
      return changedBy("mv", args);
    default:
      return [];
  }
}

/** The files that a command edits in place. Without an option for the script, its first argument is the script. */
function inPlace(args: readonly Word[], option: RegExp, script: RegExp): readonly Word[] {
  if (!args.some(({ text }) => option.test(text))) return [];
  const hasScript = args.some(({ text }) => script.test(text));
  const files = operands(args, script).filter(({ text }) => text !== "");
  return hasScript ? files : files.slice(1);
}

/** Arguments that are neither options nor values of these options. */
function operands(args: readonly Word[], withValue?: RegExp): Word[] {
  return args.filter(
    ({ text }, i) => !text.startsWith("-") && withValue?.test(args[i - 1]?.text ?? "") !== true,
  );
}

function inside(folder: Word, file: Word): Word {
  const text = posix.join(folder.text, posix.basename(file.text));
  return { ...file, text, isPlain: folder.isPlain && file.isPlain };
}
