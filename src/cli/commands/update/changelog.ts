/** One version of CHANGELOG.md. */
export interface Release {
  /** `0.2.0`, or `Unreleased`. */
  readonly version: string;
  readonly date?: string;
  /** Each entry as one text, with its heading (Added, Fixed …). */
  readonly entries: readonly { readonly kind: string; readonly text: string }[];
}

const VERSION = /^##\s+\[?v?([^\]\s]+)\]?(?:\s*[-–—(]\s*([\d-]{4,10}))?/;

/** Reads the form of keepachangelog.com: `## [version] - date`, `### Added`, items. */
export function readChangelog(text: string): Release[] {
  const releases: { version: string; date?: string; entries: { kind: string; text: string }[] }[] = [];
  let kind = "";
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = VERSION.exec(line) ?? [];
    const current = releases.at(-1);
    if (version !== undefined) {
      releases.push({ version, ...(date === undefined ? {} : { date }), entries: [] });
      kind = "";
    } else if (/^###\s/.test(line)) kind = line.replace(/^###\s+/, "").trim();
    else if (current !== undefined && /^[-*]\s/.test(line))
      current.entries.push({ kind, text: line.slice(2).trim() });
    else if (/^\s+\S/.test(line)) {
      const last = current?.entries.at(-1);
      if (last !== undefined) last.text += ` ${line.trim()}`;
    }
  }
  return releases;
}

/** What a person that last saw `since` has not seen: later versions, and what has no version yet. */
export function changesSince(releases: readonly Release[], since: string | undefined): Release[] {
  const at = releases.findIndex(({ version }) => version === since);
  const newer = at === -1 ? releases.slice(0, firstNumbered(releases) + 1) : releases.slice(0, at);
  return newer.filter(({ entries }) => entries.length > 0);
}

/** Without a version that was seen: the newest one, and what comes after it. */
function firstNumbered(releases: readonly Release[]): number {
  return Math.max(
    0,
    releases.findIndex(({ version }) => /^\d/.test(version)),
  );
}

/** The first sentence, without links and emphasis: an entry may be a long paragraph. */
export function headline(text: string, most = 200): string {
  const plain = text
    .replace(/\s*\(\[[^\]]{1,200}\]\([^)]{0,300}\)\)/g, "")
    .replace(/\[([^\]]{1,200})\]\([^)]{0,300}\)/g, "$1")
    .replace(/\*\*/g, "");
  const [first = plain] = plain.split(/(?<=[.!?])\s+(?=\p{Lu}|`)/u);
  return first.length <= most ? first : `${first.slice(0, most - 1).toWellFormed()}…`;
}
