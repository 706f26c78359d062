import { isRecord } from "../base/settings.ts";
import { readSimpleYaml } from "./simple-yaml.ts";

export type Keys = { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Beyond any real frontmatter, and short enough that no line of it can be made to take long. */
const MAX_LENGTH = 16 * 1024;

/** Reads a frontmatter's YAML. What is none gives a problem, never an error. */
export async function readYamlKeys(yaml: string): Promise<Keys> {
  if (yaml.trim() === "") return { values: {} };
  if (yaml.length > MAX_LENGTH) return { problem: `it has more than ${MAX_LENGTH} characters` };
  const simple = readSimpleYaml(yaml.replace(/\r\n?/g, "\n"));
  if (simple !== undefined) return { values: simple };
  // The real parser takes milliseconds to load: only where it is needed.
  const { load } = await import("js-yaml");
  try {
    const value: unknown = load(yaml, { json: true }) ?? {};
    return isRecord(value) ? { values: value } : { problem: "it holds no keys" };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: message.split("\n")[0]?.slice(0, 160) ?? "" };
  }
}
