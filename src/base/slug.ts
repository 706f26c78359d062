import { fingerprint } from "./fingerprint.ts";
import { normalized } from "./text.ts";

/** The names that Windows reserves for devices, with any extension. */
export const RESERVED_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Long enough for any title, and short enough for every file system, including the longer name of a temporary file. */
const MAX_BYTES = 160;

/**
 * A title as a file name. For ASCII titles it is exactly maenifold's. Other letters and digits are kept; maenifold drops
 * them and so gives all such titles the same name. A title without letters and digits gets a name made from its hash.
 */
export function slugify(title: string): string {
  const words = normalized(normalized(title, "NFC").toLowerCase(), "NFC").replace(/[\s_]+/g, "-");
  const slug = trimDashes(words.replace(/[^\p{L}\p{M}\p{N}-]/gu, "").replace(/-{2,}/g, "-"));
  if (slug === "") return /^[\x00-\x7f]*$/.test(title) ? "untitled" : `untitled-${short(title)}`;
  if (RESERVED_NAME.test(slug)) return `${slug}-note`;
  if (Buffer.byteLength(slug) <= MAX_BYTES) return slug;
  return `${trimDashes(cut(slug))}-${short(title)}`;
}

/** The file name that maenifold would choose, to find notes that maenifold wrote. */
export function contractSlug(title: string): string {
  const words = title.toLowerCase().replace(/[\s_]+/g, "-");
  return trimDashes(words.replace(/[^a-z0-9-]/g, "").replace(/-{2,}/g, "-")) || "untitled";
}

function trimDashes(text: string): string {
  return text.replace(/^-|-$/g, "");
}

function short(text: string): string {
  return fingerprint(normalized(text, "NFC")).slice(0, 8);
}

/** As many whole characters as fit, with space left for the hash. */
function cut(text: string): string {
  let bytes = 0;
  let result = "";
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > MAX_BYTES - 10) break;
    result += char;
  }
  return result;
}

/** The name of a rule's file without its extension, which users may omit. */
export function withoutRuleExtension(name: string): string {
  return name.replace(/\.(instructions\.)?(mdc?|txt)$/i, "");
}
