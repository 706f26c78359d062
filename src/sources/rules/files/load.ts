import { systemCode } from "../../../base/errors.ts";
import { fromUtf8 } from "../../../base/text.ts";
import { readBytes } from "../../../store/read-file.ts";
import { splitFrontmatter } from "../parsing/frontmatter.ts";
import type { Parsed } from "../rule.ts";
import type { RuleFile } from "./folders.ts";
import { MAX_RULE_BYTES } from "./limits.ts";

/** Reads and parses one rule file. Problems with it are part of the result. */
export async function loadRule(file: RuleFile): Promise<Parsed> {
  if (file.size > MAX_RULE_BYTES) {
    return refused(
      "rule-too-large",
      `${file.path} has ${file.size} bytes; the limit for a rule is ${MAX_RULE_BYTES}`,
    );
  }
  let text: string | undefined;
  try {
    text = read(file.path);
  } catch (error) {
    return refused("rule-unreadable", `${file.path} cannot be read (${systemCode(error)})`);
  }
  if (text === undefined) return refused("rule-not-utf8", `${file.path} is not UTF-8 text`);
  // Imported only when needed, because a hook parses only changed rules.
  const { parseRule } = await import("../parsing/parse.ts");
  const parsed = await parseRule(text, file);
  return parsed.kind === "refused" ? { ...parsed, message: `${file.path}: ${parsed.message}` } : parsed;
}

/** The current text of a rule that was parsed before; empty if the file is deleted or damaged. */
export function readBody(path: string): string {
  try {
    return splitFrontmatter(read(path) ?? "").body;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return ""; // the next call reads the file again and reports the problem
  }
}

function read(path: string): string | undefined {
  return fromUtf8(readBytes(path, { maxBytes: MAX_RULE_BYTES }));
}

function refused(code: string, message: string): Parsed {
  return { kind: "refused", code, message };
}
