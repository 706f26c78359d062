import { isUtf8 } from "node:buffer";
import { systemCode } from "../../../base/errors.ts";
import { isRefusedJson, parseBounded } from "../../../base/json.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { SeedConfig } from "../types.ts";
import { fault, type SeedError } from "./checks.ts";
import { UNSET_NAME, validateSeed, withDefaults } from "./schema.ts";

/**
 * The state of a seed's file. A missing or unconfigured one may be set up; an unusable one contains a user's data and
 * is never overwritten. Do not call it damaged because of this state alone: `whyUnusable` determines whether it is.
 */
export type SeedRead = { readonly path: string } & (
  | { readonly state: "missing" }
  | {
      readonly state: "damaged";
      /** Absent if the file cannot be read at all. */
      readonly text?: string;
      readonly errors: readonly SeedError[];
    }
  | {
      readonly state: "unconfigured" | "ready";
      readonly text: string;
      readonly config: SeedConfig;
      readonly warnings: readonly string[];
    }
);

/** A larger file is not a seed, and reading it would delay the start of a session. */
export const MAX_SEED_BYTES = 64 * 1024 * 1024;

/** Reads and validates. Creates, writes and repairs nothing. */
export function readSeed(path: string): SeedRead {
  let bytes: Buffer;
  try {
    bytes = readBytes(path, { maxBytes: MAX_SEED_BYTES });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { path, state: "missing" };
    if (code === "too-large")
      return { path, state: "damaged", errors: fault("too_large", `has more than ${MAX_SEED_BYTES} bytes`) };
    const why = code === "not-a-file" ? "is not a file" : `cannot be read (${code})`;
    return { path, state: "damaged", errors: fault("unreadable", why) };
  }
  if (!isUtf8(bytes)) return { path, state: "damaged", errors: fault("parse_error", "is not UTF-8") };
  return parseSeed(path, bytes.toString("utf8"));
}

/** The same for a text from elsewhere, such as a version from the history. */
export function parseSeed(path: string, text: string): SeedRead {
  let value: unknown;
  try {
    value = parseBounded(text.replace(/^\ufeff/, ""));
  } catch (error) {
    const errors = isRefusedJson(error)
      ? fault("too_large", error.limit)
      : fault("parse_error", (error as Error).message);
    return { path, state: "damaged", text, errors };
  }
  const checked = validateSeed(withDefaults(value));
  if (!checked.ok) return { path, state: "damaged", text, errors: checked.errors };
  const { config, warnings } = checked;
  const state = config.identity.principalName === UNSET_NAME ? "unconfigured" : "ready";
  return { path, state, text, config, warnings };
}

/** The file's text; undefined if there is no file or it cannot be read. */
export function textOf(read: SeedRead): string | undefined {
  return read.state === "missing" ? undefined : read.text;
}

/** One line to show. */
export function describeErrors(errors: readonly SeedError[]): string {
  const shown = errors.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim());
  return `${shown.join("; ")}${errors.length > 3 ? `; and ${errors.length - 3} more` : ""}`;
}
