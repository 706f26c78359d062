import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { shellWord } from "../../../base/text.ts";
import { readTextIfAny } from "../../../store/read-file.ts";

/** How this copy of Continuo was installed. */
export type Installation =
  /** The working folder of a developer. */
  | { readonly kind: "clone"; readonly folder: string }
  /** npm's cache for `npx`, which npm may empty. `source` is the argument of npx. */
  | { readonly kind: "npx"; readonly source: string }
  /** `npm install -g` */
  | { readonly kind: "global" }
  /** A dependency of a project. */
  | { readonly kind: "local"; readonly folder: string }
  | { readonly kind: "other" };

export function installationOf(packageRoot: string): Installation {
  const parent = dirname(packageRoot);
  if (packageRoot.split(sep).includes("_npx"))
    return { kind: "npx", source: npxSource(dirname(parent)) ?? "continuo" };
  if (existsSync(join(packageRoot, "src", "entries")) && existsSync(join(packageRoot, "scripts")))
    return { kind: "clone", folder: packageRoot };
  if (!parent.endsWith(`${sep}node_modules`)) return { kind: "other" };
  const owner = dirname(parent);
  // npm's folder for global packages is in a `lib` folder, on Windows in `npm`; a project has a package.json.
  return existsSync(join(owner, "package.json")) ? { kind: "local", folder: owner } : { kind: "global" };
}

/** The package that npx was asked to run: a name with a version, or the full path of a file. */
function npxSource(folder: string): string | undefined {
  try {
    const file = readTextIfAny(join(folder, "package.json"), { maxBytes: 64 * 1024 });
    const value = file === undefined ? undefined : parseBounded(file);
    const wanted =
      isRecord(value) && isRecord(value["dependencies"]) ? value["dependencies"]["continuo"] : undefined;
    if (typeof wanted !== "string") return undefined;
    return wanted.startsWith("file:") ? resolve(folder, wanted.slice("file:".length)) : undefined;
  } catch {
    return undefined; // the most common argument is the name
  }
}

/** What to type instead of `continuo`, in commands that this copy suggests. */
export function programOf(installation: Installation): string {
  if (installation.kind !== "npx") return "continuo";
  // Without --package, npx treats the full path of a file as a program and tries to run it.
  return installation.source === "continuo"
    ? "npx continuo"
    : `npx --package=${shellWord(installation.source)} continuo`;
}

/** The command for a permanent installation. */
export function permanentCommand(source: string): string {
  return `npm install -g ${shellWord(source)}`;
}

/** How to update this copy: the kind of installation, and the command; no command if unknown. */
export function howToUpdate(installation: Installation): {
  readonly what: string;
  readonly command?: string;
} {
  switch (installation.kind) {
    case "clone":
      return {
        what: "It runs from a clone",
        command: `cd ${shellWord(installation.folder)} && git pull && npm install && npm run build`,
      };
    case "npx":
      return installation.source === "continuo"
        ? { what: "It runs from npx's cache", command: "npx continuo@latest" }
        : { what: "It runs from npx's cache: run the newer file the same way", command: "npx FILE" };
    case "local":
      return {
        what: "It is a dependency of a project",
        command: `cd ${shellWord(installation.folder)} && npm update continuo`,
      };
    case "global":
      // npm does not record where a global package came from.
      return {
        what: "It was installed with npm install -g: run this in the clone that it came from",
        command: "git pull && npm run install:global",
      };
    case "other":
      return { what: "Update it the way you installed it" };
  }
}
