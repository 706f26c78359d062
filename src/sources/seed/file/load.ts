import { isUtf8 } from "node:buffer";
import { systemCode } from "../../../base/errors.ts";
import { parseBounded } from "../../../base/json.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { SeedConfig } from "../types.ts";
import { fault, type SeedError } from "./checks.ts";
import { NOBODY, withDefaults } from "./defaults.ts";
import { validateSeed } from "./schema.ts";

/**
 * What a seed's file is. Missing, not set up, and damaged are three things: the first two may be set up, the last holds
 * a person's data and is never written over.
 */
export type SeedRead = { readonly path: string } & (
  | { readonly state: "missing" }
  | {
      readonly state: "damaged";
      /** Absent when the file cannot even be read. */
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

/** Larger ones are no seed, and would cost a session's start. */
export const MAX_SEED_BYTES = 64 * 1024 * 1024;

/** Reads and judges. Nothing is created, written or repaired here. */
export function readSeed(path: string): SeedRead {
  let bytes: Buffer;
  try {
    bytes = readBytes(path, { maxBytes: MAX_SEED_BYTES });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { path, state: "missing" };
    const why =
      code === "not-a-file"
        ? "is not a file"
        : code === "too-large"
          ? `has more than ${MAX_SEED_BYTES} bytes`
          : `cannot be read (${code})`;
    return { path, state: "damaged", errors: fault("unreadable", why) };
  }
  if (!isUtf8(bytes)) return { path, state: "damaged", errors: fault("parse_error", "is not UTF-8") };
  return judgeSeed(path, bytes.toString("utf8"));
}

/** The same for a text that is not in the file, such as a version of the history. */
export function judgeSeed(path: string, text: string): SeedRead {
  let value: unknown;
  try {
    value = parseBounded(text.replace(/^\ufeff/, ""));
  } catch (error) {
    return { path, state: "damaged", text, errors: fault("parse_error", (error as Error).message) };
  }
  const checked = validateSeed(withDefaults(value));
  if (!checked.ok) return { path, state: "damaged", text, errors: checked.errors };
  const { config, warnings } = checked;
  const state = config.identity.principalName === NOBODY ? "unconfigured" : "ready";
  return { path, state, text, config, warnings };
}

/** What the file holds; undefined when there is none, or it cannot be read. */
export function textOf(read: SeedRead): string | undefined {
  return read.state === "missing" ? undefined : read.text;
}

/** One line for people about what is wrong. */
export function describeErrors(errors: readonly SeedError[]): string {
  const shown = errors.slice(0, 3).map(({ path, message }) => `${path} ${message}`.trim());
  return `${shown.join("; ")}${errors.length > 3 ? `; and ${errors.length - 3} more` : ""}`;
}

/** It was written by a newer program: then nothing is damaged, and only an update helps. */
export function isNewer(errors: readonly SeedError[]): boolean {
  return errors.some((error) => error.code === "version_mismatch");
}

export type LoadResult =
  | {
      readonly ok: true;
      readonly config: SeedConfig;
      readonly state: "ready" | "unconfigured";
      readonly warnings: readonly string[];
    }
  | {
      readonly ok: false;
      readonly state: "missing" | "damaged";
      readonly error: string;
      readonly errors: readonly SeedError[];
    };

export function resultOf(read: SeedRead): LoadResult {
  if (read.state === "missing") {
    return { ok: false, state: "missing", error: `there is no seed at ${read.path}`, errors: [] };
  }
  if (read.state === "damaged") {
    const what = isNewer(read.errors) ? "is from a newer version" : "is damaged";
    return {
      ok: false,
      state: "damaged",
      error: `${read.path} ${what}: ${describeErrors(read.errors)}`,
      errors: read.errors,
    };
  }
  return { ok: true, state: read.state, config: read.config, warnings: read.warnings };
}
