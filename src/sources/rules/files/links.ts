import { sep } from "node:path";
import { MARKDOWN, type RuleFolder } from "./folders.ts";

/** Hidden folders in which tools keep what is meant for models. */
const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  ".agent",
  ".agents",
  ".ai",
  ".claude",
  ".clinerules",
  ".codex",
  ".continue",
  ".continuo",
  ".cursor",
  ".gemini",
  ".github",
  ".kiro",
  ".opencode",
  ".roo",
  ".windsurf",
]);

const LEADS_OUT = "it is a link that leads out of the project";
const LEADS_ASTRAY =
  "it is a link to what is no rule: links lead to Markdown files, and not into hidden folders or node_modules";

/**
 * Why what lies at a real path is not taken for a rule, or a folder of rules, of a project. A repository can hold links to
 * files that it does not hold itself, such as its user's `.env`: those must not be sent to a model.
 */
export function refusalOf(folder: RuleFolder, real: string, kind: "file" | "folder"): string | undefined {
  const { within, ending } = folder;
  if (within === undefined) return undefined;
  if (!`${real}${sep}`.startsWith(`${within}${sep}`)) return LEADS_OUT;
  const segments = real.slice(within.length + 1).split(sep);
  const isOpen = segments.every(
    (name) =>
      name.toLowerCase() !== "node_modules" &&
      (!name.startsWith(".") || TOOL_FOLDERS.has(name.toLowerCase())),
  );
  return isOpen && (kind === "folder" || MARKDOWN.test(real) || ending.test(real)) ? undefined : LEADS_ASTRAY;
}
