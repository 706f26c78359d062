import { readFrontmatter } from "../parsing/frontmatter.ts";
import { toList } from "../parsing/values.ts";

const KEYS = ["globs", "applyTo", "paths"];

/** The globs of a rule's frontmatter, as its author wrote them. */
export async function globsOf(yaml: string | undefined): Promise<string[]> {
  const front = await readFrontmatter(yaml);
  if ("problem" in front) return [];
  return KEYS.flatMap((key) =>
    front.values[key] === undefined ? [] : (toList(front.values[key], "items") ?? []),
  );
}
