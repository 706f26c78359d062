import { systemCode } from "../../moments/errors.ts";
import { readBytes } from "../../store/read-file.ts";
import type { RuleFile } from "./discover.ts";
import type { Parsed } from "./rule.ts";

/** Larger than any instruction that a model could follow; a file this big is there by mistake. */
const MAX_BYTES = 256 * 1024;

/** Reads and understands one rule file. Whatever is wrong with it is part of the answer. */
export async function loadRule(file: RuleFile): Promise<Parsed> {
  if (file.size > MAX_BYTES) {
    return refused("rule-too-large", `${file.path} has ${file.size} bytes; a rule may have ${MAX_BYTES}`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readBytes(file.path, { maxBytes: MAX_BYTES }),
    );
  } catch (error) {
    const code = systemCode(error);
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      return refused("rule-not-utf8", `${file.path} is not UTF-8 text`);
    return refused("rule-unreadable", `${file.path} cannot be read (${code})`);
  }
  // Apart from the rest: a hook needs it only for a rule that changed.
  const { parseRule } = await import("./parse.ts");
  const parsed = await parseRule(text, file);
  return parsed.kind === "refused" ? refused(parsed.code, `${file.path}: ${parsed.message}`) : parsed;
}

function refused(code: string, message: string): Parsed {
  return { kind: "refused", code, message };
}
