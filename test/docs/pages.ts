import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/child.ts";

export interface Page {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every page that people read, the changelog apart: it tells what was true once. */
export const PAGES: readonly Page[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CONTEXT.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: ROOT }),
]
  .map((path) => path.replaceAll("\\", "/"))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

export function page(path: string): string {
  const found = PAGES.find((one) => one.path === path);
  if (found === undefined) throw new Error(`there is no page ${path}`);
  return found.text;
}

/** Code of a page: fenced and indented blocks line by line, and what is between backticks. */
export function codeIn(text: string): string[] {
  const prose: string[] = [];
  const code: string[] = [];
  let isFenced = false;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    else if (isFenced || /^ {4}/.test(line)) code.push(line.trim());
    else prose.push(line);
  }
  return [...code, ...[...prose.join("\n").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)];
}
