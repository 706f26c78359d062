import { FILE_KEYS } from "../parsing/dialects.ts";
import { readFrontmatter } from "../parsing/frontmatter.ts";
import { toList } from "../parsing/values.ts";

/** The globs of a rule's frontmatter, as its author wrote them. */
export async function globsOf(yaml: string | undefined): Promise<string[]> {
  const front = await readFrontmatter(yaml);
  if ("problem" in front) return [];
  return FILE_KEYS.flatMap((key) =>
    front.values[key] === undefined ? [] : (toList(front.values[key], "items") ?? []),
  );
}
