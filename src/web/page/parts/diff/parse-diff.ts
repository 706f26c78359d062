import { parse } from "diff2html/lib-esm/diff-parser.js";

export interface DiffFile {
  readonly path: string;
  /** Before it was renamed. */
  readonly from?: string;
  readonly what: "changed" | "added" | "deleted" | "renamed" | "binary";
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** A unified diff, of one file or of several as git prints them. */
export function parseDiff(text: string): readonly DiffFile[] {
  return parse(text, { diffMaxChanges: 20_000, diffMaxLineLength: 20_000 }).map((file) => ({
    path: file.newName === "/dev/null" ? file.oldName : file.newName,
    ...(file.isRename === true ? { from: file.oldName } : {}),
    what: file.isBinary
      ? "binary"
      : file.isNew || file.oldName === "/dev/null"
        ? "added"
        : file.isDeleted || file.newName === "/dev/null"
          ? "deleted"
          : file.isRename
            ? "renamed"
            : "changed",
    added: file.addedLines,
    removed: file.deletedLines,
    hunks: file.blocks.map(({ header, lines }) => ({
      header,
      lines: lines.map(({ type, content, oldNumber, newNumber }) => ({
        kind: type === "insert" ? "added" : type === "delete" ? "removed" : "same",
        text: content.slice(1),
        ...(oldNumber === undefined ? {} : { before: oldNumber }),
        ...(newNumber === undefined ? {} : { after: newNumber }),
      })),
    })),
  }));
}
