import { readFileSync } from "node:fs";
import { systemCode } from "../../moments/errors.ts";
import { isRecord } from "../../store/settings.ts";
import type { RuleFile } from "./discover.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { readSimpleYaml } from "./simple-yaml.ts";

export interface Rule {
  readonly file: RuleFile;
  readonly name: string;
  readonly priority: number;
  readonly body: string;
}

export type Loaded =
  | { readonly kind: "rule"; readonly rule: Rule }
  /** It has a condition, so it does not apply everywhere and always. */
  | { readonly kind: "conditional"; readonly file: RuleFile; readonly condition: string }
  | { readonly kind: "refused"; readonly file: RuleFile; readonly code: string; readonly message: string };

/** Larger than any instruction that a model could follow; a file this big is there by mistake. */
const MAX_BYTES = 256 * 1024;

/** Keys that describe a rule without limiting it. Every other key is taken for a condition: never silently always-on. */
const DESCRIPTIVE = new Set([
  "name",
  "priority",
  "description",
  "title",
  "version",
  "author",
  "tags",
  "alwaysApply",
]);

export async function loadRule(file: RuleFile): Promise<Loaded> {
  if (file.size > MAX_BYTES) {
    return refused(
      file,
      "rule-too-large",
      `${file.path} has ${file.size} bytes; a rule may have ${MAX_BYTES}`,
    );
  }
  const text = readText(file);
  if (typeof text !== "string") return text;
  const { yaml, body, unclosed } = splitFrontmatter(text);
  if (unclosed)
    return refused(file, "rule-unclosed", `${file.path} opens its frontmatter with --- and never closes it`);
  const front = await parseFront(yaml);
  if (front === undefined)
    return refused(file, "rule-frontmatter", `the frontmatter of ${file.path} is not YAML`);
  const condition = conditionOf(front);
  if (condition !== undefined) return { kind: "conditional", file, condition };
  const name =
    typeof front["name"] === "string" && front["name"].trim() !== "" ? front["name"].trim() : file.name;
  const priority =
    typeof front["priority"] === "number" && Number.isFinite(front["priority"]) ? front["priority"] : 0;
  return { kind: "rule", rule: { file, name, priority, body } };
}

function readText(file: RuleFile): string | Loaded {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file.path));
  } catch (error) {
    const code = systemCode(error);
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      return refused(file, "rule-not-utf8", `${file.path} is not UTF-8 text`);
    return refused(file, "rule-unreadable", `${file.path} cannot be read (${code})`);
  }
}

async function parseFront(yaml: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (yaml === undefined || yaml.trim() === "") return {};
  const simple = readSimpleYaml(yaml);
  if (simple !== undefined) return simple;
  // A YAML parser costs a hook several milliseconds: it is loaded only where it is needed.
  const { load: parseYaml } = await import("js-yaml");
  try {
    const value: unknown = parseYaml(yaml);
    if (value === null || value === undefined) return {};
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // the caller refuses the rule and says why
  }
}

function conditionOf(front: Record<string, unknown>): string | undefined {
  if (front["alwaysApply"] === false) return "alwaysApply";
  return Object.keys(front).find((key) => !DESCRIPTIVE.has(key));
}

function refused(file: RuleFile, code: string, message: string): Loaded {
  return { kind: "refused", file, code, message };
}
