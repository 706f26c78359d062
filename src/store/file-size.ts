import { statSync } from "node:fs";
import { isSystemError } from "../base/system-error.ts";

/** Undefined when the file vanished since it was listed. */
export function sizeOf(path: string): { modified: number; size: number } | undefined {
  try {
    const { mtimeMs, size } = statSync(path);
    return { modified: Math.trunc(mtimeMs), size };
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
