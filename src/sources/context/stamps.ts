import { fingerprint } from "../../base/fingerprint.ts";
import { isRecord } from "../../base/settings.ts";
import { readBytes } from "../../store/read-file.ts";

/** How a file looked when the session was last idle. */
export interface Stamp {
  readonly size: number;
  readonly lines: number;
  readonly fingerprint: string;
}

export type Stamps = Readonly<Record<string, Stamp>>;

const MAX_BYTES = 2 * 1024 * 1024;

/** undefined for what is gone, no file, or too large to be worth counting. */
export function stampOf(path: string): Stamp | undefined {
  try {
    const bytes = readBytes(path, { maxBytes: MAX_BYTES });
    const text = bytes.toString("utf8");
    return { size: bytes.length, lines: text.split("\n").length, fingerprint: fingerprint(text) };
  } catch {
    return undefined; // deleted or unreadable: nothing to compare
  }
}

export function stampAll(paths: readonly string[]): Stamps {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stampOf(path);
      return stamp === undefined ? [] : [[path, stamp]];
    }),
  );
}

/** In words, by how much a file changed since its stamp; undefined when it did not. */
export function changeSince(before: Stamp, now: Stamp | undefined): string | undefined {
  if (now === undefined) return "deleted, or no longer readable";
  if (before.fingerprint === now.fingerprint) return undefined;
  const lines = now.lines - before.lines;
  const bytes = now.size - before.size;
  const sign = (value: number) => (value > 0 ? `+${value}` : String(value).replace("-", "−"));
  if (lines !== 0) return `${sign(lines)} lines`;
  return bytes === 0 ? "same size, other content" : `${sign(bytes)} bytes`;
}

export function readStamps(value: unknown): Stamps {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Stamp] => {
      const stamp = entry[1];
      return (
        isRecord(stamp) &&
        typeof stamp["size"] === "number" &&
        typeof stamp["lines"] === "number" &&
        typeof stamp["fingerprint"] === "string"
      );
    }),
  );
}
