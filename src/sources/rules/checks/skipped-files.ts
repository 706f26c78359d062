import type { Pattern } from "../rule.ts";

const FOLDERS = new Set(["node_modules", "dist", "build", "vendor"]);
const LOCK_FILES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "bun.lockb",
  "go.sum",
  "packages.lock.json",
  "gradle.lockfile",
]);

/** In the first lines that are added to a file. */
const GENERATED = /@generated\b|\bDO NOT EDIT\b/;
const FIRST_LINES = 2000;

/**
 * What in a path says that nobody writes the file by hand: a folder, a file's name or a part of it. A check looks at such
 * a file only if its pattern names that part, as in `vendor/**`.
 */
export function generatedPart(path: string): string | undefined {
  const segments = path.split("/");
  const base = segments.pop() ?? "";
  const folder = segments.find((one) => FOLDERS.has(one));
  if (folder !== undefined) return folder;
  if (LOCK_FILES.has(base)) return base;
  return /\.lock$|\.min\.(?=[^.]+$)|\.snap$/.exec(base)?.[0];
}

export function names(pattern: Pattern, part: string): boolean {
  return pattern.text.includes(part);
}

/** Whether added text is binary, or begins with the remark that a program has written it. */
export function isGeneratedText(text: string, isBeginning: boolean): boolean {
  return (isBeginning && GENERATED.test(text.slice(0, FIRST_LINES))) || text.includes("\0");
}
