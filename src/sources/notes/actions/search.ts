import type { InferOutput } from "valibot";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import { fields, flag, optional, share, text, time, whole } from "../../../moments/actions/fields.ts";
import { type Found, foundBlocks } from "../../../moments/actions/found.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import type { Shown } from "../../../moments/ports/view.ts";
import { highlighted, matchText } from "../../../search/marks.ts";
import { seenFromPlace } from "../note-project.ts";
import { preferenceNotice, type SeenFrom } from "../search/project-notes.ts";
import type { Hit } from "../search/search.ts";
import { FILTERS, filterOf, MODE, QUERY } from "./fields.ts";
import { hasNotes, NO_NOTES, searchFresh, withNotes } from "./fresh.ts";

/** Of one kind on a page. */
const MOST = 100;

const INPUT = fields({
  query: QUERY,
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

export type NoteSearch = InferOutput<typeof INPUT>;

/** The command line searches past sessions as well. */
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
    const paged = pageOf(asked, 10);
    return { ...paged, found: await findNotes(asked, paged, place) };
  },
  json: ({ found, ...paged }) => ({ ...paged, ...found.data }),
  view: ({ found, ...paged }, shown) => foundBlocks([found], paged, shown),
});

/** `usual`: how many of one kind are on a page. */
export function pageOf({ page = 1, limit }: NoteSearch, usual: number) {
  return { page, pageSize: Math.min(MOST, limit ?? usual) };
}

/** The project whose notes come first. */
export function preferredFor({ project, allProjects }: NoteSearch, place: Place): SeenFrom | undefined {
  return project !== undefined || allProjects ? undefined : seenFromPlace(place);
}

export interface FoundNotes {
  readonly total: number;
  readonly notices: readonly string[];
  readonly results: readonly object[];
}

/** The notes that match. */
export function findNotes(
  asked: NoteSearch,
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
      // Not computed for people: concepts are read from the texts.
      get data() {
        return { total, notices, results: hits.map(hitToJson) };
      },
    };
  });
}

function hitToJson({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}

/** Characters of a title: a heading may have megabytes. */
const MAX_TITLE = 200;

/** Title, address, age, why it was found, and the passage, with the words that matched highlighted. */
function noteLines(hit: Hit, words: readonly string[], { paint, now }: Shown): string[] {
  const { title, uri, modified, snippet } = hit;
  const shortTitle = clipWithin(oneLine(title), MAX_TITLE);
  return [
    `  ${highlighted(paint, shortTitle, words, (plain) => paint("bold", plain))}`,
    `    ${paint("dim", `${oneLine(uri)}, ${ago(modified, now)}; ${matchText(hit)}`)}`,
    ...passageLines(title, snippet).map((line) => `    ${highlighted(paint, line, words)}`),
  ];
}

/** A note that begins with its title as a heading would show it twice. */
function passageLines(title: string, snippet: string): string[] {
  const passage = oneLine(snippet);
  const heading = `# ${oneLine(title)} `;
  const rest = passage.startsWith(heading) ? passage.slice(heading.length) : passage;
  return rest === "" ? [] : [rest];
}
