import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { ContinuoError, describeError, systemCode } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { fields, text } from "../../../moments/actions/fields.ts";
import { action, alone } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { usable } from "../../../sources/profile/file/change.ts";
import { readSeed } from "../../../sources/profile/file/load.ts";
import { readRuleText } from "../../../sources/rules/drafts/rule-file.ts";
import { parseRule } from "../../../sources/rules/parsing/parse.ts";
import { loadConfig } from "../../../store/config.ts";
import { findProgram } from "../../../store/find-program.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { userHome } from "../../../store/home.ts";
import type { CommandPlace } from "../../actions/as-command.ts";
import type { World } from "../../command.ts";
import { canAsk } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { findFile, type Openable } from "./find-file.ts";

const open = action({
  name: "open",
  about: "open a rule, a note, the settings or your profile in your editor",
  guide:
    "A rule is found by its name or path, a note by its title, address or path, the summary of a past session by the session's name or id. The beginning of a name, or a word of it, is enough if only one file has it. `settings` and `profile` are Continuo's own files. The editor is $VISUAL or $EDITOR. Without an editor or a terminal, the path is printed.",
  examples: [
    ["continuo open run-the-tests", "a rule"],
    ['continuo open "why sqlite"', "a note"],
    ["continuo open settings", "the settings"],
    ["continuo open profile", "your profile"],
  ],
  effect: "writes",
  input: fields({
    name: text("a rule, a note, a past session, or the word settings or profile", { typed: "rest" }),
  }),
  async run({ name }, place: CommandPlace): Promise<Opened> {
    const { env, cwd, world } = place;
    const file = await findFile(place, name);
    const isHere = canAsk(world) && (world.screen ?? PLAIN).isTerminal && world.values?.["json"] !== true;
    const editor = isHere ? editorOf(env, cwd) : undefined;
    if (editor === undefined) return { file, isHere };
    if (file.kind === "settings") ensureFolder(dirname(file.path));
    const code = edit(editor, file.path, env);
    return { file, isHere, editor, code, ...(code === 0 && { problems: await problemsIn(world, file) }) };
  },
  json: ({ file, editor, problems }) => ({
    ...file,
    opened: editor !== undefined,
    ...(problems !== undefined && { problems }),
  }),
  isBad: ({ code = 0, problems = [] }) => code !== 0 || problems.length > 0,
  view({ file, isHere, editor, code, problems = [] }, { env }) {
    const shown = oneLine(shortPath(file.path, env));
    if (editor === undefined) return [exact(oneLine(file.path)), ...(isHere ? [NO_EDITOR] : [])];
    if (code !== 0) return [exact(`${editor.name} ended with the code ${code}\n  ${shown}`)];
    return [exact([`Closed ${shown}`, ...problems.map((one) => `  problem  ${oneLine(one)}`)].join("\n"))];
  },
});

export const OPEN = alone("notes", open);

const NO_EDITOR = "  No editor is set. Choose one, for example in your shell's profile: export EDITOR=nano";

interface Opened {
  readonly file: Openable;
  /** At a terminal that can show an editor. */
  readonly isHere: boolean;
  readonly editor?: Editor;
  readonly code?: number;
  /** What is wrong with the file now. */
  readonly problems?: readonly string[];
}

/** A mistake is easiest to fix right after it was made. */
async function problemsIn(input: World, file: Openable): Promise<string[]> {
  const { path } = file;
  if (file.kind === "settings") {
    const { problems } = loadConfig(path, await input.sources(), input.env);
    return problems.map(({ message, hint }) => `${message} (${hint})`);
  }
  if (file.kind === "profile") return profileProblems(path);
  if (file.kind !== "rule") return [];
  const text = readRuleText(path);
  if (text === undefined) return ["the file no longer exists or is not text"];
  const read = await parseRule(text, { name: path, dialect: file.dialect });
  return read.kind === "refused"
    ? [`this rule is not used: ${read.message}`]
    : read.lints.map((one) => one.message);
}

function profileProblems(path: string): string[] {
  try {
    usable(readSeed(path));
    return [];
  } catch (error) {
    const { message, hint } = describeError(error);
    return [hint === undefined ? message : `${message} (${hint})`];
  }
}

/** A program and the arguments before the file. */
interface Editor {
  /** As written in the variable, for messages. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The editor from the environment, chosen as in git: VISUAL unless the terminal is dumb, then EDITOR. Undefined if
 * neither is set. Its words are split as in a shell, but no shell runs, because others choose the names of files.
 */
export function editorOf(env: NodeJS.ProcessEnv, cwd: string): Editor | undefined {
  const variable = env["TERM"] !== "dumb" && env["VISUAL"]?.trim() ? "VISUAL" : "EDITOR";
  const text = env[variable]?.trim();
  if (!text) return undefined;
  const [name = "", ...args] = isFile(text) ? [text] : wordsOf(text);
  const program = programFor(name, env, cwd);
  if (program !== undefined) return { name, program, args };
  throw new ContinuoError("no-editor", `${variable} is ${text}, and there is no program ${name}`, {
    hint: `set it to an installed editor, for example: export ${variable}=nano`,
  });
}

/** A bare name is searched on the PATH, but not in projects; anything else must be a full path. */
function programFor(name: string, env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const path = /^~[/\\]/.test(name) ? join(userHome(env), name.slice(2)) : name;
  if (isAbsolute(path)) return isFile(path) ? path : undefined;
  return /[/\\]/.test(path) || path === "" ? undefined : findProgram(path, { env, near: [cwd] });
}

/** `code --wait`, `"/Applications/My Editor/bin/ed" -n`. */
export function wordsOf(text: string, platform: NodeJS.Platform = process.platform): string[] {
  // On Windows a backslash separates folders.
  const word =
    platform === "win32" ? /(?:"[^"]*"|'[^']*'|[^\s"'])+/g : /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/gs;
  const piece = platform === "win32" ? /"([^"]*)"|'([^']*)'/g : /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs;
  return (text.match(word) ?? []).map((one) =>
    one.replace(piece, (_, double?: string, single?: string, escaped?: string) => {
      if (double !== undefined) return platform === "win32" ? double : double.replace(/\\(["\\$`])/g, "$1");
      return single ?? escaped ?? "";
    }),
  );
}

/** Waits until the editor ends; returns its exit code. */
function edit({ name, program, args }: Editor, path: string, env: NodeJS.ProcessEnv): number {
  // Ctrl-C is for the editor: it must not end this process, which would leave the shell and the editor reading the same
  // terminal.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  try {
    const { status, error } = spawnSync(program, [...args, path], { env, stdio: "inherit" });
    if (error !== undefined)
      throw new ContinuoError("no-editor", `${name} could not be started (${systemCode(error)})`, {
        hint: `open the file yourself: ${path}`,
        cause: error,
      });
    return status ?? 1;
  } finally {
    process.off("SIGINT", ignore);
  }
}

function isFile(path: string): boolean {
  return isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
