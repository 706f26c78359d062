export interface DiffFile {
  readonly path: string;
  /** The old path of a renamed file. */
  readonly from?: string;
  readonly what: "changed" | "added" | "deleted" | "renamed" | "binary";
  /** Line counts of the whole diff, including what `hunks` leaves out. */
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  /** How many changed lines `hunks` leaves out. */
  readonly left: number;
}

export interface DiffHunk {
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** The most lines of one file. More are counted but not kept: nobody reads them in a page. */
export const MOST_LINES = 20_000;
/** Longer lines are generated, and one of megabytes would block the page. */
export const MOST_LENGTH = 2_000;

interface Reading {
  path: string;
  from: string;
  what: DiffFile["what"];
  added: number;
  removed: number;
  hunks: { lines: DiffLine[] }[];
  kept: number;
  keptChanges: number;
}

/**
 * Parses a unified diff of one file, or of several as git prints them. A hunk ends where its header says, because a
 * removed line that begins with two dashes looks like a file header.
 */
export function parseDiff(text: string): readonly DiffFile[] {
  const files: Reading[] = [];
  let file: Reading | undefined;
  let isGit = false;
  /** How many lines of the hunk are left, and the next line numbers. */
  const left = { old: 0, now: 0 };
  const next = { old: 0, now: 0 };
  const begin = (path: string): Reading => {
    const begun: Reading = { ...EMPTY, path, hunks: [] };
    files.push(begun);
    return begun;
  };
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (file !== undefined && (left.old > 0 || left.now > 0)) {
      const kind = KINDS[line[0] ?? " "];
      if (kind !== undefined) {
        if (kind !== "added") left.old--;
        if (kind !== "removed") left.now--;
        keep(file, {
          kind,
          text: shortened(line.slice(1)),
          ...(kind === "added" ? {} : { before: next.old++ }),
          ...(kind === "removed" ? {} : { after: next.now++ }),
        });
        continue;
      }
      if (line.startsWith("\\")) continue; // no newline at the end of the file
      left.old = 0; // the hunk is shorter than its header says
      left.now = 0;
    }
    const [, old, oldCount = "1", now, nowCount = "1"] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (old !== undefined && now !== undefined) {
      file ??= begin("");
      file.hunks.push({ lines: [] });
      Object.assign(left, { old: Number(oldCount), now: Number(nowCount) });
      Object.assign(next, { old: Number(old), now: Number(now) });
    } else if (line.startsWith("diff --git ")) {
      isGit = true;
      file = begin(pathOfGit(line.slice("diff --git ".length)));
    } else if (line.startsWith("--- ")) {
      if (!isGit) file = begin("");
      if (file !== undefined) nameFile(file, "from", line.slice(4), isGit);
    } else if (file !== undefined) header(file, line, isGit);
  }
  return files.map(({ path, from, what, added, removed, hunks, keptChanges }) => ({
    ...{ path, what, added, removed },
    ...(what === "renamed" ? { from } : {}),
    hunks: hunks.filter(({ lines }) => lines.length > 0),
    left: added + removed - keptChanges,
  }));
}

const EMPTY: Omit<Reading, "hunks" | "path"> = {
  ...{ from: "", what: "changed", added: 0, removed: 0, kept: 0, keptChanges: 0 },
};

const KINDS: Readonly<Record<string, DiffLine["kind"]>> = { " ": "same", "+": "added", "-": "removed" };

function keep(file: Reading, line: DiffLine): void {
  const isChange = line.kind !== "same";
  if (line.kind === "added") file.added++;
  if (line.kind === "removed") file.removed++;
  if (file.kept === MOST_LINES) return;
  file.kept++;
  if (isChange) file.keptChanges++;
  file.hunks.at(-1)?.lines.push(line);
}

function header(file: Reading, line: string, isGit: boolean): void {
  const [, name = "", rest = ""] =
    /^(\+\+\+|rename from|rename to|new file|deleted file|Binary files|GIT binary) ?(.*)$/.exec(line) ?? [];
  if (name === "+++") nameFile(file, "path", rest, isGit);
  else if (name === "rename from") Object.assign(file, { from: unquoted(rest), what: "renamed" });
  else if (name === "rename to") file.path = unquoted(rest);
  else if (name === "new file") file.what = "added";
  else if (name === "deleted file") file.what = "deleted";
  else if (name !== "") file.what = "binary";
}

/** Reads a line with three dashes or pluses. `/dev/null` means that the file did not exist, or was deleted. */
function nameFile(file: Reading, which: "from" | "path", rest: string, isGit: boolean): void {
  const name = unquoted(rest.replace(/\t.*$/, ""));
  if (name === "/dev/null") {
    file.what = which === "from" ? "added" : "deleted";
    if (which === "path") file.path = file.from;
    return;
  }
  file[which] = isGit ? name.replace(/^[ab]\//, "") : name;
}

/** `a/x b/x`: the only place with the name of a file whose content did not change. */
function pathOfGit(names: string): string {
  const [, plain, quoted] = /^(?:a\/(.+) b\/\1|("a\/.+") "b\/.+")$/.exec(names) ?? [];
  return plain ?? (quoted === undefined ? names : unquoted(quoted).replace(/^a\//, ""));
}

/** Git quotes unusual names, with bytes as octal numbers. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|(.)/gu))
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(plain ?? ESCAPED[escaped ?? ""] ?? escaped));
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r" };

function shortened(line: string): string {
  if (line.length <= MOST_LENGTH) return line;
  return `${line.slice(0, MOST_LENGTH)} … ${(line.length - MOST_LENGTH).toLocaleString("en")} more characters`;
}
