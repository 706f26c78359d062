import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isSystemError } from "../../base/errors.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import { readText } from "../../store/read-file.ts";

/** pi gives extensions its package of models under this name, whatever the package's name is now. */
const PI_AI = "@mariozechner/pi-ai";
const NAMES = [PI_AI, "@earendil-works/pi-ai"];
/** Newer versions have what extensions use in `compat`. */
const ENTRIES = ["./compat", "."];
const MOST_FOLDERS = 40;

/**
 * Loads pi's package of models. Node loads an extension from an installed package, which has `"type": "module"`, without asking
 * pi: pi's names are unknown there. So the package is looked for where pi's own program finds it.
 */
export async function importPiAi(program = process.argv[1]): Promise<unknown> {
  const own = program === undefined ? undefined : entryFor(program);
  // By a name that no bundler follows: otherwise the bundle would be tied to a version.
  return own === undefined ? import(PI_AI) : import(pathToFileURL(own).href);
}

/** The file that a module beside the program would import. */
export function entryFor(program: string): string | undefined {
  let folder: string;
  try {
    folder = dirname(realpathSync(program));
  } catch (error) {
    if (isSystemError(error)) return undefined; // a program that is one binary has no such file
    throw error;
  }
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    for (const name of NAMES) {
      const entry = entryOf(join(folder, "node_modules", name));
      if (entry !== undefined) return entry;
    }
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

function entryOf(folder: string): string | undefined {
  const manifest = manifestOf(folder);
  const exports = isRecord(manifest?.["exports"]) ? manifest["exports"] : {};
  for (const name of ENTRIES) {
    const entry = exports[name];
    const path = isRecord(entry) ? entry["import"] : entry;
    if (typeof path === "string" && path.startsWith("./")) return join(folder, path);
  }
  return undefined;
}

function manifestOf(folder: string): Record<string, unknown> | undefined {
  try {
    const value = parseBounded(readText(join(folder, "package.json"), { maxBytes: 1024 * 1024 }));
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
