import { systemCode } from "../../../base/errors.ts";
import { readAt, withFile } from "../../../store/read-file.ts";
import { noteFailure } from "./failures.ts";

/** Far beyond what anybody writes, and short enough to be read and indexed without a pause that is noticed. */
export const MAX_NOTE_BYTES = 4 * 1024 * 1024;

export interface NoteText {
  /** Without the byte order mark, which `hasMark` tells of. Empty when the file cannot be read as text. */
  readonly text: string;
  readonly hasMark: boolean;
  readonly size: number;
  readonly modified: number;
  /** Why the text is not exactly what the file holds; undefined when it is, and may then be edited. */
  readonly problem?: string;
}

/** Reads a file as text, whatever it holds. undefined when there is none, or no longer. */
export function readNoteText(path: string): NoteText | undefined {
  try {
    return withFile(path, ({ descriptor, stats: { size, mtimeMs: modified } }) => {
      if (size > MAX_NOTE_BYTES) {
        const problem = `it has ${Math.round(size / 2 ** 20)} MB; a note may have ${MAX_NOTE_BYTES / 2 ** 20}`;
        return { text: "", hasMark: false, size, modified, problem };
      }
      const bytes = readAt(descriptor, 0, size);
      return { ...decode(bytes), hasMark: startsWith(bytes, 0xef, 0xbb, 0xbf), size, modified };
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "not-a-file") return undefined;
    throw noteFailure("note-unreadable", `${path} cannot be read (${code})`, "make the file readable");
  }
}

/** Throws for what is no UTF-8; keeps everything else, except the byte order mark. */
const STRICT = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): { text: string; problem?: string } {
  const utf16 = utf16Kind(bytes);
  if (utf16 !== undefined)
    return { text: new TextDecoder(utf16).decode(bytes), problem: "it is UTF-16, not UTF-8" };
  if (bytes.includes(0)) return { text: "", problem: "it is not text" };
  try {
    return { text: STRICT.decode(bytes) };
  } catch {
    return {
      text: new TextDecoder().decode(bytes),
      problem: "it is not UTF-8; unreadable signs are shown as \ufffd",
    };
  }
}

function utf16Kind(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le";
  return startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : undefined;
}

function startsWith(bytes: Uint8Array, ...start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}
