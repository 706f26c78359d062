import { join } from "node:path";
import { systemCode } from "../moments/errors.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import type { Home } from "./home.ts";
import { readText } from "./read-file.ts";
import { isRecord } from "./settings.ts";

/** Projects whose guards may stop a tool call. Only the user adds one, by hand. */
export function trustedProjects(home: Pick<Home, "root">): readonly string[] {
  try {
    const value: unknown = JSON.parse(readText(trustFile(home), { maxBytes: 1024 * 1024 }));
    const projects = isRecord(value) ? value["projects"] : undefined;
    return Array.isArray(projects) ? projects.filter((one) => typeof one === "string") : [];
  } catch (error) {
    // Whatever cannot be read is trusted by nobody.
    if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) return [];
    throw error;
  }
}

export function setTrust(home: Home, project: string, trusted: boolean): void {
  const others = trustedProjects(home).filter((one) => one !== project);
  const projects = trusted ? [...others, project].sort() : others;
  writeFileAtomic(trustFile(home), `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
}

function trustFile(home: Pick<Home, "root">): string {
  return join(home.root, "trust.json");
}
