import { systemCode } from "../../base/errors.ts";
import { readAt, withFile } from "../../store/read-file.ts";

/** So that ten files still leave room for each other in what a host shows. */
const MAX_BYTES = 16_000;

export interface Opened {
  readonly text?: string;
  /** Why there is no text. */
  readonly why?: string;
}

/** The beginning of a text file that really lies in a folder, wherever links lead; else the reason why not. */
export function readInside(folder: string, path: string): Opened {
  try {
    return withFile(
      path,
      ({ descriptor, stats }) => {
        const bytes = readAt(descriptor, 0, Math.min(stats.size, MAX_BYTES));
        // `stream` leaves out a character that the cut went through.
        const text = new TextDecoder("utf-8").decode(bytes, { stream: true });
        if (text.includes("\u0000")) return { why: "not a text file" };
        const isCut = stats.size > bytes.length;
        return { text: isCut ? `${text}\n(cut here: the file has ${stats.size} bytes)` : text };
      },
      { root: folder },
    );
  } catch (error) {
    return { why: REASONS[systemCode(error) ?? ""] ?? `cannot be read (${systemCode(error)})` };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "not found",
  "outside-root": "outside of the project",
  "not-a-file": "not a file",
};
