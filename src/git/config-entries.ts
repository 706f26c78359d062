export interface ConfigEntry {
  /** As git lists it: section and name in lower case, a subsection between them as it is written. */
  readonly key: string;
  readonly value: string;
}

const SECTION = /^[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"([^"\\]*)")?\][ \t\r]*$/;
const ENTRY = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(.*))?$/;
const NOTHING = /^[ \t\r]*(?:[#;].*)?$/;

/**
 * The entries of a git config file, as far as it is written plainly, one section or entry a line. undefined for a file
 * with anything else in it: what we read differently from git could hide a command. Includes are entries like others.
 */
export function configEntries(text: string): readonly ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    if (line.includes("\0")) return undefined;
    if (NOTHING.test(line)) continue;
    const [isSection, name = "", sub] = SECTION.exec(line) ?? [];
    if (isSection !== undefined) {
      section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`;
      continue;
    }
    const [isEntry, key = "", value = ""] = ENTRY.exec(line) ?? [];
    // A value that ends in a backslash goes on in the next line.
    if (isEntry === undefined || section === undefined || /\\[ \t\r]*$/.test(value)) return undefined;
    entries.push({ key: `${section}.${key.toLowerCase()}`, value: plainValue(value) });
  }
  return entries;
}

/** Good enough for a path; no decision on safety depends on a value. */
function plainValue(value: string): string {
  const bare = value.trim();
  return /^"[^"]*"$/.test(bare) ? bare.slice(1, -1).replace(/\\(.)/g, "$1") : bare;
}
