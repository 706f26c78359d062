import type { DraftCheck } from "./records.ts";

/** A draft as the YAML of a rule's `checks`. */

export interface CheckYaml {
  /** The key below `checks`. */
  readonly group: "edits" | "commands" | "answer";
  /** The lines of one item, the first without its dash. */
  readonly lines: readonly string[];
}

export function yamlOf({ on, never, before, ran, files }: DraftCheck): CheckYaml {
  const fields = [
    ...(never === undefined ? [] : [`never: ${quoted(never)}`]),
    ...(on === "done" ? ["before: done"] : before === undefined ? [] : [`before: ${quoted(before)}`]),
    ...(ran === undefined ? [] : [`ran: ${quoted(ran)}`]),
    ...(files === undefined ? [] : [`files: [${files.map(quoted).join(", ")}]`]),
  ];
  return { group: on === "done" ? "commands" : on, lines: fields };
}

/** In single quotes YAML changes nothing but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The whole key, for a frontmatter without one. */
export function checksBlock({ group, lines }: CheckYaml): string[] {
  return ["checks:", `  ${group}:`, ...itemLines(lines, "    ")];
}

export function itemLines(lines: readonly string[], indent: string): string[] {
  return lines.map((line, i) => `${indent}${i === 0 ? "- " : "  "}${line}`);
}
