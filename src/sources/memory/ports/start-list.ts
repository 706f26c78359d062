import { countTokens } from "../../../compose/tokens.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { Memory, ValuedNote } from "../memory.ts";
import type { ProjectNote } from "../search/notes-of.ts";
import type { SeenFrom } from "../search/project-notes.ts";
import { projectWords } from "./project-words.ts";
import { lineOf, type Telling, type Told, tellingOf } from "./telling-line.ts";

/** A note that a start may tell of. */
export interface StartNote extends Told {
  readonly uri: string;
  /** Use, recency and decay. */
  readonly value: number;
}

export interface StartList {
  readonly text: string;
  readonly uris: readonly string[];
}

/** Of the lines, without the frame around them. The whole section has at most 120 by a real tokenizer. */
const MOST_TOKENS = 76;
const MOST_LINES = 6;
/** With this many notes or more, each gets this share of the tokens; a single one gets no more than `MOST_IN_LINE`. */
const SHARED_BY = 4;
const MOST_IN_LINE = 25;
/** How much a telling sentence counts beside the value of its note. */
const TELLING = 0.4;

/**
 * One line for each of the best notes. Those that this session was told of before come first, so that a list after a
 * compaction is the one before it, as far as its notes still exist.
 */
export function startList(notes: readonly StartNote[], before: readonly string[] = []): StartList {
  const places = new Map(before.map((uri, at) => [uri, at]));
  const ranked = notes
    .map((note) => ({ note, telling: tellingOf(note) }))
    .sort(
      (a, b) =>
        (places.get(a.note.uri) ?? before.length) - (places.get(b.note.uri) ?? before.length) ||
        rankOf(b) - rankOf(a) ||
        (a.note.uri < b.note.uri ? -1 : 1),
    );
  const share = Math.floor(MOST_TOKENS / Math.max(1, Math.min(SHARED_BY, ranked.length)));
  const lines: string[] = [];
  const uris: string[] = [];
  let left = MOST_TOKENS;
  for (const { note, telling } of ranked) {
    if (lines.length === MOST_LINES) break;
    const line = lineOf(note.title, telling.sentence, Math.min(MOST_IN_LINE, share, left));
    // One more for the line break.
    const cost = countTokens(line) + 1;
    if (line === "- " || cost > left) continue;
    lines.push(line);
    uris.push(note.uri);
    left -= cost;
  }
  return { text: lines.join("\n"), uris };
}

function rankOf({ note, telling }: { readonly note: StartNote; readonly telling: Telling }): number {
  return note.value + TELLING * telling.weight;
}

/** Of each kind, the newest of so many are looked at; of so many of the best the text is read. */
const LOOKED_AT = 200;
const READ = 16;
const HEAD_BYTES = 16 * 1024;
/** A note of the project comes before one that only names it, and that before a global one. */
const TIERS: Readonly<Record<ProjectNote["relation"], number>> = { own: 20, named: 10, global: 0 };

/** The list for a session that begins in this project. Another project's notes are never in it. */
export async function listForStart(
  memory: Memory,
  seen: SeenFrom,
  before: readonly string[],
): Promise<StartList> {
  const all = await memory.notesOf(seen, LOOKED_AT, before);
  const words = all.some(({ relation }) => relation === "global")
    ? projectWords(seen.root)
    : new Set<string>();
  const fitting = all
    .filter((note) => note.relation !== "global" || isAbout(note, words))
    .map((note) => ({ ...note, value: note.value + TIERS[note.relation] }))
    .sort((a, b) => b.value - a.value);
  const known = new Set(before);
  const chosen = [
    ...fitting.filter(({ uri }) => known.has(uri)),
    ...fitting.filter(({ uri }) => !known.has(uri)).slice(0, READ),
  ];
  return startList(
    chosen.flatMap(({ uri, title, path, value }) => {
      const body = beginningOf(path);
      return body === undefined ? [] : [{ uri, title, body, value }];
    }),
    before,
  );
}

/** A global note concerns a project if a tag or a link of it is a language or a package of the project. */
function isAbout({ tags, concepts }: ValuedNote, words: ReadonlySet<string>): boolean {
  return [...tags, ...concepts].some((one) => words.has(one.toLowerCase()));
}

/** The beginning of a note's text; undefined if it was deleted since, or cannot be read. */
function beginningOf(path: string): string | undefined {
  try {
    const bytes = readBytes(path, { maxBytes: HEAD_BYTES, cut: true });
    const text = bytes.toString("utf8");
    if (bytes.includes(0)) return "";
    const cut = cutFrontmatter(text);
    const body = typeof cut === "string" ? text : text.slice(cut.body);
    // The last line may be half a line, with half a secret.
    return bytes.length < HEAD_BYTES ? body : body.slice(0, Math.max(0, body.lastIndexOf("\n")));
  } catch {
    return undefined;
  }
}
