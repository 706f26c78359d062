import { ContinuoError } from "../../../base/errors.ts";
import { seenFromPlace } from "../../../sources/memory/note-project.ts";
import { NO_PROJECT, type SeenFrom } from "../../../sources/memory/search/project-notes.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, World } from "../../command.ts";
import {
  choiceOption,
  listOption,
  shareOption,
  subject,
  textOption,
  timeOption,
  wholeOption,
} from "../../terminal/options.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { assertSearched, attempt, groupsText, type SearchedGroup } from "./search-group.ts";
import { findNotes } from "./search-notes.ts";

/** Filters that `search` and `recent` share. */
export const FILTER_OPTIONS = {
  folder: {
    type: "string",
    value: "FOLDER",
    help: "only notes in this folder; @name for another notes folder",
    fallback: "all folders",
  },
  tag: {
    type: "string",
    multiple: true,
    value: "TAG",
    help: "only notes with this tag",
    fallback: "any tag",
  },
  project: {
    type: "string",
    value: "NAME",
    help: "only notes of this project; . is the current one",
    fallback: "all projects",
  },
  since: {
    type: "string",
    value: "TIME",
    help: "only notes changed since then: a day such as 2026-11-01 or yesterday, 24h or 7d",
    fallback: "any time",
  },
} as const;

function filterOf(input: Input) {
  const folder = textOption(input, "folder");
  const tags = listOption(input, "tag");
  const project = textOption(input, "project");
  const since = timeOption(input, "since");
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(project === undefined ? {} : { project }),
    ...(since === undefined ? {} : { since }),
  };
}

/** The same for notes, which know more of the current project than its name. */
export function noteFilterOf(input: Input) {
  const filter = filterOf(input);
  return filter.project === "." ? { ...filter, project: projectHere(input) ?? NO_PROJECT } : filter;
}

function projectHere({ cwd, env }: World): SeenFrom | undefined {
  return seenFromPlace({ cwd, env, home: findHome(env) });
}

const SEARCH_USAGE = "search QUERY…";
const MODES = ["Hybrid", "FullText", "Semantic"] as const;
/** Options that say nothing about sessions. */
const FOR_NOTES = ["folder", "tag", "mode", "min-score"] as const;
const PER_KIND = 5;
const ALONE = 10;
/** Of one kind on a page, as both searches have it. */
const MOST = 100;

export const searchCommand: Command = {
  name: "search",
  summary: "search notes and past sessions",
  usage: SEARCH_USAGE,
  section: "notes",
  guide:
    'Finds your notes and the past sessions of all agents, by words and by meaning: "undo a bad deploy" finds "Rollback of a release". Quotes around several words are optional. Notes of the current project come first. --notes and --sessions search one kind only; so does an option that only notes have (--folder, --tag, --mode, --min-score).',
  options: {
    notes: { type: "boolean", help: "search only notes" },
    sessions: { type: "boolean", help: "search only past sessions" },
    ...FILTER_OPTIONS,
    project: {
      ...FILTER_OPTIONS.project,
      help: "only notes and sessions of this project; . is the current one",
    },
    since: {
      ...FILTER_OPTIONS.since,
      help: "only what changed since then: a day such as 2026-11-01 or yesterday, 24h or 7d",
    },
    mode: {
      type: "string",
      value: "MODE",
      choices: MODES,
      help: "search notes by words and meaning, only by words, or only by meaning",
      fallback: "Hybrid",
    },
    "min-score": {
      type: "string",
      value: "SCORE",
      help: "only notes with at least this score, 0 to 1",
      fallback: "0",
    },
    "all-projects": { type: "boolean", help: "do not prefer notes of the current project" },
    limit: {
      type: "string",
      value: "N",
      help: "results per page, of each kind",
      fallback: `${PER_KIND}; ${ALONE} for one kind`,
    },
    page: { type: "string", value: "N", help: "which page of the results", fallback: "1" },
  },
  arguments: { QUERY: { help: "words to search for" } },
  examples: [
    ["continuo search undo a bad deploy", "search notes and past sessions"],
    ["continuo search webhook retries --sessions", "search only past sessions"],
    ["continuo search --tag decision --since 30d database", "search recent notes with a tag"],
  ],
  async run(input) {
    const query = subject(input, "QUERY", SEARCH_USAGE);
    const mode = choiceOption(input, "mode", MODES);
    const page = wholeOption(input, "page", 1, 100_000) ?? 1;
    const minScore = shareOption(input, "min-score");
    const filter = noteFilterOf(input);
    const { hasNotes, hasSessions } = kindsOf(input);
    const isAlone = !(hasNotes && hasSessions);
    const pageSize = Math.min(MOST, wholeOption(input, "limit", 1, 1000) ?? (isAlone ? ALONE : PER_KIND));
    const isNarrow = filter.project !== undefined || input.values["all-projects"] === true;
    const seenFrom = isNarrow ? undefined : projectHere(input);
    const request = {
      query,
      page,
      pageSize,
      ...filter,
      ...(seenFrom === undefined ? {} : { seenFrom }),
      ...(mode === undefined ? {} : { mode }),
      ...(minScore === undefined ? {} : { minScore }),
    };
    const notes = hasNotes ? await attempt("Notes", () => findNotes(input, request)) : undefined;
    const sessions = hasSessions
      ? await attempt("Past sessions", async () => {
          // Loaded when needed: the index of sessions is much code.
          const { findSessions } = await import("./search-sessions.ts");
          return findSessions(input, { query, page, pageSize, isAlone });
        })
      : undefined;
    const groups = [notes, sessions].filter((one) => one !== undefined);
    assertSearched(groups);
    return {
      get data() {
        const nothing = { total: 0, notices: [], results: [] };
        return {
          query,
          mode: mode ?? "Hybrid",
          page,
          pageSize,
          preferred: seenFrom?.name ?? null,
          ...(dataOf(notes) ?? nothing),
          sessions: dataOf(sessions) ?? null,
          failures: groups.flatMap((one) =>
            "failure" in one ? [{ kind: one === notes ? "notes" : "sessions", ...one.failure }] : [],
          ),
        };
      },
      text: groupsText(groups, { page, pageSize }, input.screen ?? PLAIN),
    };
  },
};

function dataOf<Data>(group: SearchedGroup<Data> | undefined): Data | undefined {
  return group === undefined || "failure" in group ? undefined : group.data;
}

/** Both, unless the person limits it to one. */
function kindsOf(input: Input): { readonly hasNotes: boolean; readonly hasSessions: boolean } {
  const { values, env } = input;
  const forNotes = FOR_NOTES.find((name) => values[name] !== undefined);
  const [notes, sessions] = [values["notes"] === true, values["sessions"] === true];
  if (sessions && forNotes !== undefined)
    throw new ContinuoError("usage", `--${forNotes} is only for notes`, {
      hint: `leave out --sessions or --${forNotes}`,
    });
  if (notes || sessions) return { hasNotes: notes, hasSessions: sessions };
  const isOn = sessionsSettings(findHome(env), env)["enabled"] !== false;
  return { hasNotes: true, hasSessions: forNotes === undefined && isOn };
}
