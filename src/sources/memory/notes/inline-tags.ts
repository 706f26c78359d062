import { blankInlineCode } from "../../../markdown/inline-code.ts";
import { textBlocks } from "../../../markdown/text-blocks.ts";

/** As in Obsidian: letters, digits, `_`, `-` and `/`, with at least one that is no digit, so that `#12` is no tag. */
const TAG = /(?<![^\s([])#([\p{L}\p{M}\p{N}_/-]{1,100})/gu;

const MAX_TAGS = 100;

/** The `#tags` in the text of a note, not those in code. */
export function inlineTags(body: string): string[] {
  if (!/(?:^|[\s([])#[^\s#]/.test(body)) return [];
  const tags = new Set<string>();
  for (const block of textBlocks(body)) {
    if (!block.text.includes("#")) continue;
    for (const [, tag = ""] of blankInlineCode(block.text).matchAll(TAG)) {
      if (/^\d+$/.test(tag)) continue;
      tags.add(tag.replace(/\/+$/, ""));
      if (tags.size === MAX_TAGS) return [...tags];
    }
  }
  return [...tags];
}
