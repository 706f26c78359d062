import type { InferOutput } from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { fields, flag, optional, share, text, time, whole } from "../../../moments/actions/fields.ts";
import { assertSearched, attempt, foundBlocks, type Searched } from "../../../moments/actions/found.ts";
import { optionOf } from "../../../moments/actions/words.ts";
import { action, type Others, type Place } from "../../../moments/ports/action.ts";
import type { Found, Shown } from "../../../moments/ports/view.ts";
import { highlighted, matchText } from "../../../search/marks.ts";
import { seenFromPlace } from "../note-project.ts";
import { preferenceNotice, type SeenFrom } from "../search/project-notes.ts";
import type { Hit } from "../search/search.ts";
import { FILTERS, filterOf, MODE, QUERY } from "./fields.ts";
import { hasNotes, NO_NOTES, searchFresh, withNotes } from "./fresh.ts";

/** The most results of one kind on a page. */
const MOST = 100;

const INPUT = fields({
  query: QUERY,
  notes: optional(flag("search only notes")),
  sessions: optional(flag("search only past sessions")),
  folder: FILTERS.folder,
  tag: FILTERS.tag,
  project: optional(
    text("only notes and sessions of this project; . is the current one", {
      value: "NAME",
      fallback: "all projects",
    }),
  ),
  since: optional(
    time("only what changed since then: a day such as 2026-11-01 or yesterday, 24h or 7d", {
      value: "TIME",
      fallback: "any time",
    }),
  ),
  mode: MODE,
  minScore: optional(share("only notes with at least this score, 0 to 1", { value: "SCORE", fallback: "0" })),
  allProjects: optional(flag("do not prefer notes of the current project")),
  limit: optional(
    whole("results per page, of each kind", 1, 1000, { value: "N", fallback: "5; 10 for one kind" }),
  ),
  page: optional(whole("which page of the results", 1, 100_000, { value: "N", fallback: "1" })),
});

type Search = InferOutput<typeof INPUT>;

/** Fields that do not apply to sessions. */
const FOR_NOTES = ["folder", "tag", "mode", "minScore"] as const;
const PER_KIND = 5;
const ALONE = 10;

export const search = action({
  name: "search",
  about: "search notes and past sessions",
  guide:
    'Finds your notes and the past sessions of all agents, by words and by meaning: "undo a bad deploy" finds "Rollback of a release". Quotes around several words are optional. Notes of the current project come first. --notes and --sessions search one kind only; so does an option that only notes have (--folder, --tag, --mode, --min-score).',
  examples: [
    ["continuo search undo a bad deploy", "search notes and past sessions"],
    ["continuo search webhook retries --sessions", "search only past sessions"],
    ["continuo search --tag decision --since 30d database", "search recent notes with a tag"],
  ],
  effect: "reads",
  input: INPUT,
  async run(asked, place) {
    const { hasNotes: isForNotes, others } = await kindsOf(asked, place);
    const isAlone = !isForNotes || others === undefined;
    const { query, project, since, page = 1, limit = isAlone ? ALONE : PER_KIND } = asked;
    const paged = { page, pageSize: Math.min(MOST, limit) };
    const notes = isForNotes ? await attempt("Notes", () => findNotes(asked, paged, place)) : undefined;
    const sessions =
      others &&
      (await attempt("Past sessions", () =>
        others.findSessions({ query, project, since, ...paged, isAlone }, place),
      ));
    assertSearched(kindsIn({ notes, sessions }));
    return { asked, paged, notes, sessions, preferred: preferredFor(asked, place)?.name ?? null };
  },
  json: ({ asked, paged, notes, sessions, preferred }) => ({
    query: asked.query,
    mode: asked.mode ?? "Hybrid",
    ...paged,
    preferred,
    ...(dataOf(notes) ?? { total: 0, notices: [], results: [] }),
    sessions: dataOf(sessions) ?? null,
    failures: kindsIn({ notes, sessions }).flatMap((one) =>
      "failure" in one ? [{ kind: one === notes ? "notes" : "sessions", ...one.failure }] : [],
    ),
  }),
  view: ({ paged, ...found }, shown) => foundBlocks(kindsIn(found), paged, shown),
});

interface Kinds {
  readonly notes: Searched<FoundNotes> | undefined;
  readonly sessions: Searched<object> | undefined;
}

const kindsIn = ({ notes, sessions }: Kinds): readonly Searched[] =>
  [notes, sessions].filter((one) => one !== undefined);

function dataOf<Data>(kind: Searched<Data> | undefined): Data | undefined {
  return kind === undefined || "failure" in kind ? undefined : kind.data;
}

/** Both kinds, unless the user limits it to one. `others`: provides the search of sessions. */
async function kindsOf(
  asked: Search,
  place: Place,
): Promise<{ readonly hasNotes: boolean; readonly others: Others | undefined }> {
  const forNotes = FOR_NOTES.find((name) => asked[name] !== undefined);
  const { notes = false, sessions = false } = asked;
  if (sessions && forNotes !== undefined)
    throw new ContinuoError("usage", `--${optionOf(forNotes)} is only for notes`, {
      hint: `leave out --sessions or --${optionOf(forNotes)}`,
    });
  if (!sessions && (notes || forNotes !== undefined)) return { hasNotes: true, others: undefined };
  const others = await place.others?.();
  if (sessions && others === undefined)
    throw new ContinuoError("no-sessions-here", "past sessions are not searched by this command here", {
      hint: "sessions search WORDS",
    });
  return { hasNotes: notes || !sessions, others: sessions || others?.sessionsAreOn() ? others : undefined };
}

/** The project whose notes come first. */
function preferredFor({ project, allProjects }: Search, place: Place): SeenFrom | undefined {
  return project !== undefined || allProjects ? undefined : seenFromPlace(place);
}

interface FoundNotes {
  readonly total: number;
  readonly notices: readonly string[];
  readonly results: readonly object[];
}

/** The matching notes. */
function findNotes(
  asked: Search,
  paged: { readonly page: number; readonly pageSize: number },
  place: Place,
): Promise<Found<FoundNotes>> {
  const { query, mode, minScore } = asked;
  const seenFrom = preferredFor(asked, place);
  const request = { query, mode, minScore, ...paged, ...filterOf(asked, place), seenFrom };
  return withNotes(place, async (memory) => {
    const { hits, total, notices, words } = await searchFresh(place, memory, request);
    for (const notice of notices) place.tell?.(`continuo: ${notice}`);
    const isEmpty = total === 0 && !hasNotes(memory);
    const first = hits[0];
    return {
      title: "Notes",
      total,
      found: hits.map((hit) => (shown) => noteLines(hit, words, shown)),
      remarks: preferenceNotice(hits, seenFrom, "--all-projects searches all alike").map(oneLine),
      nothing: isEmpty ? NO_NOTES : "No matching notes.",
      isEmpty,
      step: first && [`continuo read ${commandWord(first.uri)}`, "Read the first note"],
      // Lazy, because text output needs no concepts, which are read from the files.
      get data() {
        return { total, notices, results: hits.map(hitToJson) };
      },
    };
  });
}

function hitToJson({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}

/** The most characters of a title: a heading may have megabytes. */
const MAX_TITLE = 200;

/** Title, address, age, the reason for the match, and the passage with matching words highlighted. */
function noteLines(hit: Hit, words: readonly string[], { paint, now }: Shown): string[] {
  const { title, uri, modified, snippet } = hit;
  const shortTitle = clipWithin(oneLine(title), MAX_TITLE);
  return [
    `  ${highlighted(paint, shortTitle, words, (plain) => paint("bold", plain))}`,
    `    ${paint("dim", `${oneLine(uri)}, ${ago(modified, now)}; ${matchText(hit)}`)}`,
    ...passageLines(title, snippet).map((line) => `    ${highlighted(paint, line, words)}`),
  ];
}

/** Otherwise a note that begins with its title as a heading would show it twice. */
function passageLines(title: string, snippet: string): string[] {
  const passage = oneLine(snippet);
  const heading = `# ${oneLine(title)} `;
  const rest = passage.startsWith(heading) ? passage.slice(heading.length) : passage;
  return rest === "" ? [] : [rest];
}
