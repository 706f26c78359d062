import { isAbsolute } from "node:path";
import { once } from "../../../base/once.ts";
import { readCommandLine } from "../../../moments/shell/shell.ts";
import type { ToolCall } from "../../../moments/types.ts";
import { isMatchInProject } from "../matching/file-matching.ts";
import type { Budget } from "../matching/linear-regex.ts";
import type { FilePatterns } from "../rule.ts";
import type { CheckSet } from "./check-set.ts";
import { type CallSteps, stepsForCall, stepsOf } from "./findings.ts";
import { type Line, SearchedText } from "./searched-text.ts";

/** What a session has run and edited so far, as far as checks need it. Plain JSON; contains no commands or paths. */
export interface CommandsSoFar {
  /** Refs of the checks whose `ran` has succeeded since the last edit of their files. */
  readonly ran: readonly string[];
  /** Refs of the checks whose `ran` has run since, but in a command line that does not show whether it succeeded. */
  readonly hidden: readonly string[];
  /** Refs of the checks whose files were edited: in this session, and since the agent last stopped. */
  readonly edited: readonly string[];
  readonly editedNow: readonly string[];
}

export const NOTHING_SO_FAR: CommandsSoFar = { ran: [], hidden: [], edited: [], editedNow: [] };

/**
 * More checks with `ran` than a project has. The oldest are dropped, but never one of the user's own in favour of a
 * project's.
 */
const MAX_REFS = 500;

/** The fixed cost of testing one path. */
const STEPS_PER_TEST = 20;

/** The result of a call; the same object if nothing changed. */
export function after(
  soFar: CommandsSoFar,
  set: CheckSet,
  call: EditingCall & Pick<ToolCall, "command" | "hasFailed">,
  steps: CallSteps = stepsForCall(),
): CommandsSoFar {
  const checks = [...set.commands, ...set.done].flatMap(({ ref, check, isUsers }) =>
    check.ran === undefined ? [] : [{ ref, ran: check.ran, files: check.files, isUsers }],
  );
  // A failed command line may have written files before it failed; a failed edit has not.
  if (checks.length === 0 || (call.hasFailed === true && call.command === undefined)) return soFar;
  const paths = editedPaths(call);
  const lines = call.hasFailed === true ? undefined : shellLines(call.command);
  const ran = new Set(soFar.ran);
  const hidden = new Set(soFar.hidden);
  const edited = new Set(soFar.edited);
  const editedNow = new Set(soFar.editedNow);
  for (const one of checks) {
    const { ref, ran: pattern, files } = one;
    const budget = stepsOf(one, steps);
    if (touches(paths, files, budget)) {
      edited.add(ref);
      editedNow.add(ref);
      ran.delete(ref);
      hidden.delete(ref);
    }
    // An edit by the same command line comes first: `cat > a.ts <<EOF … && npm test`.
    const found = lines?.searched.linesWith(pattern, budget) ?? [];
    if (lines === undefined || found === "unknown" || found.length === 0) continue;
    if (found.some(lines.decides)) {
      ran.add(ref);
      hidden.delete(ref);
    } else if (!ran.has(ref)) hidden.add(ref);
  }
  const own = new Set(checks.flatMap(({ ref, isUsers }) => (isUsers ? [ref] : [])));
  return sameOr(soFar, { ran, hidden, edited, editedNow }, own);
}

/** After the agent stopped. */
export function afterStop(soFar: CommandsSoFar): CommandsSoFar {
  return soFar.editedNow.length === 0 ? soFar : { ...soFar, editedNow: [] };
}

function sameOr(
  before: CommandsSoFar,
  sets: Readonly<Record<keyof CommandsSoFar, ReadonlySet<string>>>,
  own: ReadonlySet<string>,
): CommandsSoFar {
  const refs = (key: keyof CommandsSoFar) => bounded(sets[key], own);
  const next = {
    ran: refs("ran"),
    hidden: refs("hidden"),
    edited: refs("edited"),
    editedNow: refs("editedNow"),
  };
  return JSON.stringify(next) === JSON.stringify(before) ? before : next;
}

function bounded(refs: ReadonlySet<string>, own: ReadonlySet<string>): string[] {
  const all = [...refs];
  const isOwn = (ref: string) => own.has(ref);
  return [...all.filter(isOwn).slice(-MAX_REFS), ...all.filter((ref) => !isOwn(ref)).slice(-MAX_REFS)];
}

export type EditingCall = Pick<ToolCall, "edits"> & Partial<Pick<ToolCall, "files">>;

/** The files that a call changes, including those from which it only removes lines, which its edits do not list. */
export function editedPaths({ edits, files = [] }: EditingCall): string[] {
  const named = files.flatMap(({ path, access }) => (access === "edit" ? [path] : []));
  return [...new Set([...named, ...(edits?.() ?? []).map(({ path }) => path)])];
}

/** Whether an edit of these files makes an earlier run outdated. Files outside the project do not. */
export function touches(
  paths: readonly string[],
  { include, exclude }: FilePatterns,
  budget: Budget,
): boolean {
  return paths.some((path) => {
    if (isAbsolute(path) || budget.left < 0) return false;
    const isIn = (patterns: FilePatterns["include"]) =>
      patterns.some((pattern) => {
        budget.left -= STEPS_PER_TEST;
        return isMatchInProject(pattern, path, budget);
      });
    return (include.length === 0 || isIn(include)) && !isIn(exclude);
  });
}

/** The simple commands of a command line, each on its own line, in order. */
export interface ShellLines {
  readonly searched: SearchedText;
  /** Whether every command is included. False if the line is too long or nested too deeply. */
  readonly isWhole: boolean;
  /** The command of a line as typed: the searched text omits prose, such as a commit's message. */
  typed(line: Line): string;
  /** Whether the command line succeeds only if this command does. */
  decides(line: Line): boolean;
  /** Whether a later command runs only if an earlier one has succeeded. */
  isAfterSuccess(earlier: Line, later: Line): boolean;
}

export function shellLines(command: string | undefined): ShellLines | undefined {
  if (command === undefined || command.trim() === "") return undefined;
  const { commands: read, isWhole } = readCommandLine(command);
  const commands = read.map((one) => ({ ...one, text: oneLine(one.text) }));
  const starts = once(() => startsOf(commands));
  const indexOf = ({ start }: Line) => starts().get(start) ?? -1;
  return {
    isWhole,
    searched: new SearchedText(commands.map(({ text }) => text).join("\n")),
    typed: (line) => commands[indexOf(line)]?.typed ?? line.text,
    decides: (line) => commands[indexOf(line)]?.until === Infinity,
    isAfterSuccess(earlier, later) {
      const index = indexOf(earlier);
      return later.start > earlier.start && indexOf(later) < (commands[index]?.until ?? 0);
    },
  };
}

/** The numbers of commands, by the position at which each begins in the searched text. */
function startsOf(commands: readonly { readonly text: string }[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  let at = 0;
  for (const [index, { text }] of commands.entries()) {
    starts.set(at, index);
    at += text.length + 1;
  }
  return starts;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}
