import { nearest, normalized } from "../../../base/text.ts";
import { STOP_WORDS } from "../../../search/words.ts";
import { isSilent } from "../indexing/substance.ts";
import type { Reference } from "../references.ts";
import type { Counts, PastSession, ProjectIds } from "../session.ts";

/** What is needed to find a session by a user's text. */
export interface Nameable {
  readonly host: string;
  readonly id: string;
  readonly name: string;
  /** The identity of its project, if known. */
  readonly project?: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** A subagent's session: found only by id, never by name. */
  readonly isChild?: boolean;
  readonly counts?: Counts;
}

export type Resolution<S extends Nameable> =
  | { readonly kind: "found"; readonly session: S; readonly by: Way }
  /** Several match equally well, so the user has to choose. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly S[] }
  | { readonly kind: "unknown"; readonly nearest: readonly S[] };

type Way = "id" | "name" | "beginning" | "words" | "last";

export interface Viewpoint {
  readonly project?: ProjectIds;
  /** The asking session, which is never meant. */
  readonly self?: string;
}

const MOST_CANDIDATES = 5;
const MOST_NEAREST = 3;
/** A shorter prefix may match by chance. */
const LEAST_ID = 6;
const LEAST_NAME = 3;

/**
 * Tries the ways of matching, the most certain first, each in the project and then everywhere. If a way matches several
 * sessions the search ends, because a less certain way must not decide between them.
 */
export function resolve<S extends Nameable>(
  reference: Pick<Reference, "name" | "host">,
  sessions: readonly S[],
  { project, self }: Viewpoint,
): Resolution<S> {
  const here = isOf(project);
  const known = sessions.filter(
    (one) => one.id !== self && (reference.host === undefined || one.host === reference.host),
  );
  if (reference.name.toLowerCase() === "last") {
    const own = latest(known.filter((one) => one.isChild !== true && !isEmpty(one)));
    const session = own.find(here) ?? own[0];
    return session === undefined ? { kind: "unknown", nearest: [] } : { kind: "found", session, by: "last" };
  }
  for (const [by, fits] of waysOf(reference.name)) {
    const all = known.filter(fits);
    const own = all.filter(here);
    const matching = own.length > 0 ? own : all;
    const [session] = matching;
    if (session !== undefined && matching.length === 1) return { kind: "found", session, by };
    if (matching.length > 1)
      return { kind: "ambiguous", candidates: latest(matching).slice(0, MOST_CANDIDATES) };
  }
  return {
    kind: "unknown",
    nearest: near(
      reference.name,
      known.filter((one) => one.isChild !== true),
      here,
    ),
  };
}

/** A session in which nothing was said is never meant. */
const isEmpty = ({ counts }: Nameable): boolean => counts !== undefined && isSilent({ counts });

function isOf(project: ProjectIds | undefined): (one: Nameable) => boolean {
  const ids = new Set(typeof project === "string" ? [project] : project);
  return (one) => one.project !== undefined && ids.has(one.project);
}

/**
 * The form in which names are compared: ignores case, spaces and punctuation, so that any name can be typed as one
 * word.
 */
export function slug(name: string): string {
  return normalized(name, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/**
 * Also ignores accents, which are often omitted when typing: "cafe" is "café". Vowel signs of other scripts are kept.
 */
function plainSlug(name: string): string {
  const whole = slug(name);
  return /[^\x00-\x7f]/.test(whole) ? normalized(whole, "NFD").replace(/[\u0300-\u036f]+/g, "") : whole;
}

function waysOf(wanted: string): readonly (readonly [Way, (one: Nameable) => boolean])[] {
  const id = wanted.toLowerCase();
  const exact = slug(wanted);
  const name = plainSlug(wanted);
  const words = name.split("-");
  const ways: (readonly [Way, (one: Nameable) => boolean])[] = [["id", (one) => one.id.toLowerCase() === id]];
  if (name === "") return ways;
  // Exact first: if two names differ only in accents, one of them is meant.
  if (exact !== name) ways.push(["name", (one) => one.isChild !== true && slug(one.name) === exact]);
  ways.push(["name", (one) => one.isChild !== true && plainSlug(one.name) === name]);
  const isLongId = id.length >= LEAST_ID;
  const isLongName = name.length >= LEAST_NAME;
  const beginsId = (one: Nameable) => isLongId && one.id.toLowerCase().startsWith(id);
  // A single word is not enough, whether the name begins with it or not.
  const beginsName = (one: Nameable) =>
    isLongName && words.length > 1 && plainSlug(one.name).startsWith(name);
  ways.push(["beginning", (one) => one.isChild !== true && (beginsId(one) || beginsName(one))]);
  if (isLongName)
    ways.push(["words", (one) => one.isChild !== true && hasWords(plainSlug(one.name).split("-"), words)]);
  // Last, so that subagents' sessions hide no others: Claude Code's are all called `agent-…`.
  ways.push(["beginning", (one) => one.isChild === true && beginsId(one)]);
  return ways;
}

/** Whether every typed word is a prefix of a word in the name. */
function hasWords(name: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => name.some((one) => one.startsWith(word)));
}

/** Suggestions: names with a word that a typed one is a prefix or a typo of. */
function near<S extends Nameable>(wanted: string, known: readonly S[], here: (one: S) => boolean): S[] {
  const sorted = [...latest(known.filter(here)), ...latest(known.filter((one) => !here(one)))];
  const names = sorted.slice(0, MOST_COMPARED).map((session) => ({ session, words: wordsOf(session.name) }));
  const vocabulary = [...new Set(names.flatMap(({ words }) => words))].filter(isLong);
  const written = tellingWords(wanted).map((word) => ({
    word,
    meant: isLong(word) ? nearest(word, vocabulary) : undefined,
  }));
  // Scored in characters, so that long words count more; each typed word counts once.
  const shared = (words: readonly string[]) =>
    written
      .filter(({ word, meant }) => words.some((one) => one === meant || one.startsWith(word)))
      .reduce((characters, { word }) => characters + word.length, 0);
  const id = wanted.toLowerCase();
  // A prefix of an id that is too short to match scores highest.
  const begins = (session: S) => id.length > 1 && session.id.toLowerCase().startsWith(id);
  return names
    .map(({ session, words }) => ({ session, characters: begins(session) ? Infinity : shared(words) }))
    .filter(({ characters }) => characters > 0)
    .sort((a, b) => (a.characters === b.characters ? 0 : b.characters - a.characters))
    .slice(0, MOST_NEAREST)
    .map(({ session }) => session);
}

const wordsOf = (name: string): string[] => plainSlug(name).split("-");

/** Without stop words such as "the", unless there is nothing else. */
function tellingWords(wanted: string): string[] {
  const words = wordsOf(wanted).filter((word) => word.length > 1);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

/** Any two shorter words look like typos of each other. */
const isLong = (word: string): boolean => word.length > 4;

/** Comparing by edit distance is slow, and the latest sessions are more likely to be meant. */
const MOST_COMPARED = 300;

function latest<S extends Nameable>(sessions: readonly S[]): S[] {
  return [...sessions].sort((a, b) => b.modified - a.modified || (a.id < b.id ? -1 : 1));
}

const MOST = 20;

interface NamedSession {
  /** What to type after `@@` to refer to exactly this session. */
  readonly name: string;
  readonly session: PastSession;
}

/** Sessions that match the typed text: the project's first, newest first. */
export function namesLike(
  typed: string,
  sessions: readonly PastSession[],
  { project, self }: Viewpoint,
): NamedSession[] {
  const wanted = plainSlug(typed);
  const others = sessions.filter((one) => one.id !== self);
  const times = new Map<string, number>();
  for (const { name } of others) times.set(slug(name), (times.get(slug(name)) ?? 0) + 1);
  const isHere = isOf(project);
  return others
    .filter(
      (one) => plainSlug(one.name).includes(wanted) || one.id.toLowerCase().startsWith(typed.toLowerCase()),
    )
    .sort((a, b) => Number(isHere(b)) - Number(isHere(a)) || b.modified - a.modified)
    .slice(0, MOST)
    .map((session) => ({ name: nameOf(session, times), session }));
}

/** The name if it is short and unique, else the id. */
function nameOf({ name, id }: PastSession, times: ReadonlyMap<string, number>): string {
  const short = slug(name);
  return short === "" || short === "last" || short.length > 60 || (times.get(short) ?? 0) > 1 ? id : short;
}
