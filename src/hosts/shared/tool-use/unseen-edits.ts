import { posix } from "node:path";
import type { Redirect, Word } from "../../../moments/shell/scan.ts";

/** Files that a shell command changes with a text that is not in the command, as far as the command names them. */
export function changedPaths(name: string, args: readonly Word[], redirects: readonly Redirect[]): string[] {
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

/** `git checkout name` may be about a branch: only what follows `--` is certainly a file. */
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

/** The files of a command that changes them where they are; without options for a script, its first word is the script. */
function inPlace(args: readonly Word[], option: RegExp, script: RegExp): readonly Word[] {
  if (!args.some(({ text }) => option.test(text))) return [];
  const hasScript = args.some(({ text }) => script.test(text));
  const files = operands(args, script).filter(({ text }) => text !== "");
  return hasScript ? files : files.slice(1);
}

/** Words that are no options and no values of these options. */
function operands(args: readonly Word[], withValue?: RegExp): Word[] {
  return args.filter(
    ({ text }, i) => !text.startsWith("-") && withValue?.test(args[i - 1]?.text ?? "") !== true,
  );
}

function inside(folder: Word, file: Word): Word {
  const text = posix.join(folder.text, posix.basename(file.text));
  return { ...file, text, isPlain: folder.isPlain && file.isPlain };
}
