import { countTokens } from "../../../compose/tokens.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { parseQuery } from "../../../search/query/parse.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { Memory } from "../memory.ts";
import type { ValuedNote } from "../reading.ts";
import type { SeenFrom } from "../search/project-notes.ts";
import { hashOfWhole } from "./lead.ts";
import { projectWords, projectWordsFiles } from "./project-words.ts";
import type { StartLine } from "./start-section.ts";
import { lineOf, type Telling, type Told, tellingOf } from "./telling-line.ts";

/** A note that a start may list. */
interface StartNote extends Told {
  readonly uri: string;
  /** Combines use, recency and decay. */
  readonly value: number;
  /** Its informative sentences, if they were already determined. */
  readonly tellings?: readonly Telling[];
}

/** The limit for the lines, without the frame around them. The whole section has at most 120 by a real tokenizer. */
const MOST_TOKENS = 86;
const MOST_LINES = 6;
/** This many lines, or fewer if there are fewer notes, share the tokens equally; what they leave, others may use. */
const SHARED_BY = 3;
const MOST_IN_LINE = 34;
/** The first note is most likely about the current work, so it may have more than one sentence. */
const MOST_IN_FIRST = 50;
/** The weight of an informative sentence besides the value of its note. */
const TELLING = 0.4;

/**
 * One line for each of the best notes. Those that this session was already told about come first, so that a list after
 * a compaction is the same as before, as far as its notes still exist.
 */
export function startList(notes: readonly StartNote[], before: readonly string[] = []): StartLine[] {
  const places = new Map(before.map((uri, at) => [uri, at]));
  const ranked = notes
    .map((note) => ({ note, tellings: note.tellings ?? tellingOf(note) }))
    .sort(
      (a, b) =>
        (places.get(a.note.uri) ?? before.length) - (places.get(b.note.uri) ?? before.length) ||
        rankOf(b) - rankOf(a) ||
        (a.note.uri < b.note.uri ? -1 : 1),
    );
  const shared = Math.min(SHARED_BY, ranked.length);
  // Each line costs one more token, for its line break.
  let left = MOST_TOKENS + 1;
  const lines: StartLine[] = [];
  for (const { note, tellings } of ranked) {
    if (lines.length === MOST_LINES) break;
    const share = Math.floor(left / Math.max(1, shared - lines.length)) - 1;
    const most = lines.length === 0 ? MOST_IN_FIRST : Math.min(MOST_IN_LINE, share);
    const line = lineOf(note.title, tellings, most);
    const cost = countTokens(line) + 1;
    // What the first ones leave is only for lines that fit whole.
    const isPart = line.endsWith("…") || line === lineOf(note.title, [], MOST_IN_LINE);
    const isSpare = lines.length >= SHARED_BY && isPart;
    if (line.length < 3 || line === "- …" || cost > left || (isSpare && !places.has(note.uri))) continue;
    const text = line.slice("- ".length);
    const hash = hashOfWhole(note.uri, text, note);
    lines.push({ uri: note.uri, text, whole: hash });
    left -= cost;
  }
  return lines;
}

function rankOf({
  note,
  tellings,
}: {
  readonly note: StartNote;
  readonly tellings: readonly Telling[];
}): number {
  return note.value + TELLING * (tellings[0]?.weight ?? 0);
}

/** How many of the newest notes of each kind are considered, and of how many of the best the text is read. */
const LOOKED_AT = 200;
const READ = 16;
const HEAD_BYTES = 16 * 1024;
/** The project's notes come before notes that only name it, and those before global ones. */
const TIERS = { own: 30, named: 20, mentioned: 10, global: 0 } as const;
/** If there are fewer notes than this, those that only mention the project are added. */
const ENOUGH = 4;

/** What is known about a note before its text is read. */
interface Candidate extends Pick<ValuedNote, "uri" | "title" | "path"> {
  readonly valueAt: (at: number) => number;
}

/** The list for a session that begins in this project, also for other times. */
interface ListMaker {
  /** Notes that this session was already told about come first. */
  listAt(at: number, before?: readonly string[]): StartLine[];
}

/**
 * Finds the notes that a start may list. Never includes another project's notes. `onRead` is called with each file
 * before it is read.
 */
export async function listForStart(
  memory: Memory,
  seen: SeenFrom,
  before: readonly string[],
  onRead: (path: string) => void = () => undefined,
  isMuted: (uri: string) => boolean = () => false,
): Promise<ListMaker> {
  // The place of a muted note goes to the next one.
  const all = (await memory.notesOf(seen, LOOKED_AT, before)).filter(({ uri }) => !isMuted(uri));
  const hasGlobal = all.some(({ relation }) => relation === "global");
  if (hasGlobal) projectWordsFiles(seen.root).forEach(onRead);
  const words = hasGlobal ? projectWords(seen.root) : new Set<string>();
  const found: Candidate[] = all
    .filter((note) => note.relation !== "global" || isAbout(note, words))
    .map((note) => ({ ...note, valueAt: (at) => note.valueAt(at) + TIERS[note.relation] }));
  if (found.length < ENOUGH)
    found.push(...(await mentioning(memory, seen, onRead)).filter(({ uri }) => !isMuted(uri)));
  const known = new Set(before);
  const read = new Map<string, Omit<StartNote, "value"> | undefined>();
  const noteOf = ({ uri, title, path }: Candidate) => {
    if (!read.has(uri)) {
      onRead(path);
      const body = beginningOf(path);
      read.set(
        uri,
        body === undefined ? undefined : { uri, title, body, tellings: tellingOf({ title, body }) },
      );
    }
    return read.get(uri);
  };
  return {
    listAt(at, told = []) {
      const valued = found.map((one) => ({ one, value: one.valueAt(at) })).sort((a, b) => b.value - a.value);
      const chosen = [
        ...valued.filter(({ one }) => known.has(one.uri)),
        ...valued.filter(({ one }) => !known.has(one.uri)).slice(0, READ),
      ];
      return startList(
        chosen.flatMap(({ one, value }) => {
          const note = noteOf(one);
          return note === undefined ? [] : [{ ...note, value }];
        }),
        told,
      );
    },
  };
}

/** A global note concerns a project if one of its tags or links is a language or a package of the project. */
function isAbout({ tags, concepts }: ValuedNote, words: ReadonlySet<string>): boolean {
  return [...tags, ...concepts].some((one) => words.has(one.toLowerCase()));
}

/**
 * Notes without a stated project whose text contains a name of this one. Only names that are not ordinary words:
 * `acme-shop`, not `shop`. The text must contain the exact name, because a search also finds its parts.
 */
async function mentioning(
  memory: Memory,
  seen: SeenFrom,
  onRead: (path: string) => void,
): Promise<Candidate[]> {
  const [name] = seen.names.filter((one) => /^[^/]{2,}[-_.\d]/.test(one) && hasTopicWord(one));
  if (name === undefined) return [];
  const { hits } = await memory.search({ query: name, mode: "FullText", pageSize: READ, seenFrom: seen });
  return hits
    .filter(({ relation }) => relation === "unknown")
    .filter(({ path, title }) => {
      onRead(path);
      return `${title}\n${beginningOf(path)}`.toLowerCase().includes(name.toLowerCase());
    })
    .map(({ uri, title, path, score }) => ({ uri, title, path, valueAt: () => TIERS.mentioned + score }));
}

/** A name that consists of stop words cannot be searched for. */
function hasTopicWord(name: string): boolean {
  return parseQuery(name, 1).some(({ isStop }) => !isStop);
}

/** The beginning of a note's text; undefined if it was deleted, or cannot be read. */
function beginningOf(path: string): string | undefined {
  try {
    const bytes = readBytes(path, { maxBytes: HEAD_BYTES, cut: true });
    const text = bytes.toString("utf8");
    if (bytes.includes(0)) return "";
    const cut = cutFrontmatter(text);
    const body = typeof cut === "string" ? text : text.slice(cut.body);
    // The last line may be cut, with half a secret.
    return bytes.length < HEAD_BYTES ? body : body.slice(0, Math.max(0, body.lastIndexOf("\n")));
  } catch {
    return undefined; // reading the whole note reports why
  }
}
