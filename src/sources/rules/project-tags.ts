import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseBounded } from "../../base/json.ts";
import { isRecord } from "../../base/settings.ts";
import { readText } from "../../store/read-file.ts";

/** Which file tells which kind of project. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  node: ["package.json"],
  python: ["pyproject.toml", "setup.py", "requirements.txt"],
  go: ["go.mod"],
  rust: ["Cargo.toml"],
  monorepo: ["pnpm-workspace.yaml", "turbo.json", "nx.json", "lerna.json"],
};

/** Keys that a web app's manifest.json does not have. */
const EXTENSION_KEYS = [
  "background",
  "content_scripts",
  "permissions",
  "action",
  "browser_action",
  "page_action",
];

/** What kind of project a folder holds, as the `project` condition names it. */
export function projectTags(root: string): string[] {
  const tags = Object.keys(SIGNS).filter((tag) => SIGNS[tag]?.some((file) => existsSync(join(root, file))));
  return isBrowserExtension(root) ? [...tags, "browser-extension"] : tags;
}

function isBrowserExtension(root: string): boolean {
  try {
    const manifest: unknown = parseBounded(
      readText(join(root, "manifest.json"), { maxBytes: 256 * 1024, root }),
    );
    if (!isRecord(manifest)) return false;
    const version = manifest["manifest_version"];
    return (version === 2 || version === 3) && EXTENSION_KEYS.some((key) => key in manifest);
  } catch {
    return false; // no manifest, or not JSON: no extension
  }
}
