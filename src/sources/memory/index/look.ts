import { type Stats, statSync } from "node:fs";
import { systemCode } from "../../../base/errors.ts";

/**
 * A file or folder as it is now. What is closed to us, or on a disk that does not answer, is not gone: what is indexed of it
 * stays, and the rest of the root is looked at all the same.
 */
export function lookAt(path: string): Stats | "gone" | "closed" {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? "gone";
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ELOOP" ? "gone" : "closed";
  }
}
