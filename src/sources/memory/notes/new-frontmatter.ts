import { slugify } from "./slug.ts";

/** The frontmatter of a new note: maenifold's keys, in its order. */
export function newFrontmatter(
  note: { readonly title: string; readonly tags?: readonly string[] },
  now: number,
): string {
  const tags = [...new Set((note.tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  const time = timestamp(now);
  return [
    "---",
    `title: ${scalar(note.title)}`,
    `permalink: ${scalar(slugify(note.title))}`,
    "type: memory",
    "status: saved",
    `created: ${time}`,
    `modified: ${time}`,
    ...(tags.length > 0 ? ["tags:", ...tags.map((tag) => `- ${scalar(tag)}`)] : []),
    "---",
    "",
  ].join("\n");
}

/** As .NET prints a time for machines: with seven digits of a second. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().replace("Z", "0000Z");
}

/** Only what no YAML reader could take for anything else stands without quotes. A JSON text is a YAML text. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z][A-Za-z0-9 ./_-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !text.endsWith(" ") ? text : JSON.stringify(text);
}
