import type { Edit, FileAccess } from "../../../moments/tool-use.ts";
import { type NewLines, withoutMoved } from "./added-lines.ts";

/** Patches in the two forms that models write: that of `apply_patch`, and unified diffs. */

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** The files that the headers of an `apply_patch` name. */
export function patchedFiles(patch: string): FileAccess[] {
  const headers = patch.matchAll(new RegExp(HEADER, "gm"));
  return [...headers].map(([, , path = ""]) => ({ path: path.trim(), access: "edit" }));
}

interface Section {
  path: string;
  isNew: boolean;
  removed: string[];
  added: { lines: string[]; line: number | undefined }[];
}

/** What an `apply_patch` adds, by file. */
export function patchEdits(patch: string): Edit[] {
  const sections: Section[] = [];
  let lines: LineReader | undefined;
  for (const line of patch.replaceAll("\r\n", "\n").split("\n")) {
    const [, kind, name = ""] = HEADER.exec(line) ?? [];
    const section = sections.at(-1);
    if (kind === "Move to" && section !== undefined) section.path = name.trim();
    else if (kind === "Add File" || kind === "Update File") {
      const begun = newSection(name.trim(), kind === "Add File");
      sections.push(begun);
      lines = readerFor(begun);
      if (begun.isNew) lines.at(1);
    } else if (line.startsWith("*** ") && line !== "*** End of File") lines = undefined;
    else lines?.read(line);
  }
  return sections.flatMap(editOf);
}

/** What a unified diff adds. Paths are interpreted as by `patch -p1` and `git apply`. */
export function diffEdits(diff: string): Edit[] {
  const sections: Section[] = [];
  let lines: LineReader | undefined;
  let isNew = false;
  for (const line of diff.replaceAll("\r\n", "\n").split("\n")) {
    if (line.startsWith("diff --git ")) lines = undefined;
    else if (lines?.isInside() === true) lines.read(line);
    else if (line.startsWith("--- ")) isNew = line.startsWith("--- /dev/null");
    else if (line.startsWith("+++ ")) {
      const path = (line.slice(4).split("\t")[0] ?? "").trim();
      const begun = newSection(path.replace(/^[ab]\//, ""), isNew);
      lines = path === "/dev/null" ? undefined : readerFor(begun);
      if (lines !== undefined) sections.push(begun);
    } else lines?.read(line);
  }
  return sections.flatMap(editOf);
}

function newSection(path: string, isNew: boolean): Section {
  return { path, isNew, removed: [], added: [] };
}

function editOf({ path, isNew, removed, added }: Section): Edit[] {
  const hunks = withoutMoved(removed, added satisfies NewLines[]);
  if (isNew) return [{ path, kind: "whole", isNew, hunks }];
  return hunks.length === 0 ? [] : [{ path, kind: "part", hunks }];
}

interface LineReader {
  at(line: number): void;
  read(line: string): void;
  /** Whether, by the numbers of the last `@@`, more lines of its hunk must follow, whatever they look like. */
  isInside(): boolean;
}

const NUMBERS = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Sorts a hunk's lines into removed and added ones. */
function readerFor({ removed, added }: Section): LineReader {
  let number: number | undefined;
  let isRun = false;
  let [oldLeft, newLeft] = [0, 0];
  return {
    at(line) {
      number = line;
    },
    isInside: () => oldLeft > 0 || newLeft > 0,
    read(line) {
      const kind = line[0] ?? " ";
      // Models count lines wrongly, but no line inside a hunk begins with `@`.
      if (kind === "@") {
        const [isNumbered, old = "1", start, fresh = "1"] = NUMBERS.exec(line) ?? [];
        number = start === undefined ? undefined : Number(start);
        [oldLeft, newLeft] = isNumbered === undefined ? [0, 0] : [Number(old), Number(fresh)];
        isRun = false;
        return;
      }
      if (kind === "\\") return; // "\ No newline at end of file"
      if (kind !== "+") oldLeft--;
      if (kind !== "-") newLeft--;
      if (kind === "-") removed.push(line.slice(1));
      else if (kind === "+") {
        if (isRun) added.at(-1)?.lines.push(line.slice(1));
        else added.push({ lines: [line.slice(1)], line: number });
      }
      isRun = kind === "+" || (isRun && kind === "-");
      if (kind !== "-" && number !== undefined) number++;
    },
  };
}
