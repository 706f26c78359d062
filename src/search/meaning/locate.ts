import { existsSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError } from "../../base/errors.ts";

/**
 * Where the table is, seen from the file that this code is in. The package holds it once, although it holds the bundles
 * twice: Claude Code copies the plugin's folder elsewhere, so it is there, and the other bundles read it from there.
 */
const PLACES = [
  "meaning.bin", // the bundles of the Claude Code plugin
  "claude-code-plugin/dist/meaning.bin", // dist
  "../claude-code-plugin/dist/meaning.bin", // dist/chunks
  "../../../assets/meaning/table.bin", // the sources
];

export function locateMeaning(from = import.meta.dirname): string {
  const path = PLACES.map((place) => join(from, place)).find((one) => existsSync(one));
  if (path === undefined) throw missing(join(from, "meaning.bin"));
  return path;
}

export function missing(path: string, cause?: unknown): ContinuoError {
  return new ContinuoError("meaning-missing", `the table of meaning is missing: ${path}`, {
    hint: "install Continuo again; until then, search uses words only",
    cause,
  });
}
