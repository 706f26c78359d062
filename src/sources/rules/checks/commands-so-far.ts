import { isAbsolute } from "node:path";
import type { ToolCall } from "../../../moments/types.ts";
import { isMatchInProject } from "../matching/file-matching.ts";
import type { Budget } from "../matching/linear-regex.ts";
import type { FilePatterns } from "./check.ts";
import type { CheckSet } from "./check-set.ts";
import { stepsForCall } from "./findings.ts";
import { shellLines } from "./shell-lines.ts";

/** What a session has run and edited so far, as far as checks need it. Plain JSON; it holds no command and no path. */
export interface CommandsSoFar {
  /** Refs of the checks whose `ran` has succeeded since the last edit of their files. */
  readonly ran: readonly string[];
  /** Refs of the checks whose files were edited. */
  readonly edited: readonly string[];
}

export const NOTHING_SO_FAR: CommandsSoFar = { ran: [], edited: [] };

/** More checks with `ran` than a project has. The oldest are forgotten, but none of the user's own for a project's. */
const MAX_REFS = 500;

/** After a call. The same object if nothing changed. */
export function after(
  soFar: CommandsSoFar,
  set: CheckSet,
  call: EditingCall & Pick<ToolCall, "command" | "hasFailed">,
): CommandsSoFar {
  const checks = [...set.commands, ...set.done].flatMap(({ ref, isUsers, check }) =>
    check.ran === undefined ? [] : [{ ref, isUsers, ran: check.ran, files: check.files }],
  );
  // A command line that failed may have written files before; an edit that failed has not.
  if (checks.length === 0 || (call.hasFailed === true && call.command === undefined)) return soFar;
  const budget = stepsForCall();
  const paths = editedPaths(call);
  const lines = call.hasFailed === true ? undefined : shellLines(call.command);
  const ran = new Set(soFar.ran);
  const edited = new Set(soFar.edited);
  for (const one of checks) {
    if (touches(paths, one.files, budget)) {
      edited.add(one.ref);
      ran.delete(one.ref);
    }
    // An edit by the same command line comes first: `cat > a.ts <<EOF … && npm test`.
    const found = lines?.searched.linesWith(one.ran, budget, 1) ?? [];
    if (found !== "unknown" && found.length > 0) ran.add(one.ref);
  }
  const own = new Set(checks.flatMap(({ ref, isUsers }) => (isUsers === true ? [ref] : [])));
  const next = { ran: bounded(ran, own), edited: bounded(edited, own) };
  const isSame = next.ran.join() === soFar.ran.join() && next.edited.join() === soFar.edited.join();
  return isSame ? soFar : next;
}

function bounded(refs: ReadonlySet<string>, own: ReadonlySet<string>): string[] {
  const all = [...refs];
  const isOwn = (ref: string) => own.has(ref);
  return [...all.filter(isOwn).slice(-MAX_REFS), ...all.filter((ref) => !isOwn(ref)).slice(-MAX_REFS)];
}

export type EditingCall = Pick<ToolCall, "edits"> & Partial<Pick<ToolCall, "files">>;

/** The files that a call changes: also those that it only takes something from, which its edits do not have. */
export function editedPaths({ edits, files = [] }: EditingCall): string[] {
  const named = files.flatMap(({ path, access }) => (access === "edit" ? [path] : []));
  return [...new Set([...named, ...(edits?.() ?? []).map(({ path }) => path)])];
}

/** Whether an edit of these files makes an earlier run too old. Files outside of the project do not. */
export function touches(
  paths: readonly string[],
  { include, exclude }: FilePatterns,
  budget: Budget,
): boolean {
  return paths.some((path) => {
    if (isAbsolute(path)) return false;
    const isIn = (patterns: FilePatterns["include"]) =>
      patterns.some((pattern) => isMatchInProject(pattern, path, budget));
    return (include.length === 0 || isIn(include)) && !isIn(exclude);
  });
}
