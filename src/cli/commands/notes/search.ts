import { oneLine } from "../../../base/for-terminal.ts";
import { seenFromPlace } from "../../../sources/memory/note-project.ts";
import { preferenceNotice } from "../../../sources/memory/ports/search-memories.ts";
import { NO_PROJECT, type SeenFrom } from "../../../sources/memory/search/project-notes.ts";
import type { Hit } from "../../../sources/memory/search/search.ts";
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
import { foundElsewhere } from "./found-elsewhere.ts";
import { afterHits, hitLines } from "./hit-lines.ts";
import { sessionsHint } from "./sessions-hint.ts";
import { hasNotes, NO_NOTES, searchFresh, withMemory } from "./with-memory.ts";

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
    help: "only notes changed since then: a day such as 2026-11-01, 24h or 7d",
    fallback: "any time",
  },
} as const;

export function filterOf(input: Input) {
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

export const searchCommand: Command = {
  name: "search",
  summary: "search notes; --sessions: past sessions too",
  usage: SEARCH_USAGE,
  section: "notes",
  guide:
    'Finds notes by words and by meaning: "undo a bad deploy" finds "Rollback of a release". Quotes around several words are optional. Notes of the current project come first.',
  options: {
    mode: {
      type: "string",
      value: "MODE",
      choices: MODES,
      help: "search by words and meaning, only by words, or only by meaning",
      fallback: "Hybrid",
    },
    ...FILTER_OPTIONS,
    "all-projects": { type: "boolean", help: "do not prefer notes of the current project" },
    limit: { type: "string", value: "N", help: "results per page", fallback: "10" },
    page: { type: "string", value: "N", help: "which page of the results", fallback: "1" },
    sessions: { type: "boolean", help: "search past sessions of all agents too" },
    "min-score": {
      type: "string",
      value: "SCORE",
      help: "only notes with at least this score, 0 to 1",
      fallback: "0",
    },
  },
  arguments: { QUERY: { help: "words to search for" } },
  examples: [
    ["continuo search undo a bad deploy", "search by words and meaning"],
    ["continuo search webhook retries --sessions", "search past sessions too"],
    ["continuo search --tag decision --since 30d database", "search recent notes with a tag"],
  ],
  async run(input) {
    const query = subject(input, "QUERY", SEARCH_USAGE);
    const mode = choiceOption(input, "mode", MODES);
    const pageSize = wholeOption(input, "limit", 1, 1000) ?? 10;
    const page = wholeOption(input, "page", 1, 100_000) ?? 1;
    const minScore = shareOption(input, "min-score");
    const filter = filterOf(input);
    const isNarrow = filter.project !== undefined || input.values["all-projects"] === true;
    const seenFrom = isNarrow ? undefined : projectHere(input);
    // First, because a filter that sessions do not have is refused before anything is read.
    const others =
      input.values["sessions"] === true
        ? await foundElsewhere(input, "sessions", { query, filter, page, pageSize })
        : undefined;
    return withMemory(input, async (memory) => {
      const request = {
        query,
        page,
        pageSize,
        ...noteFilterOf(input),
        ...(seenFrom === undefined ? {} : { seenFrom }),
        ...(mode === undefined ? {} : { mode }),
        ...(minScore === undefined ? {} : { minScore }),
      };
      const { hits, total, notices, words } = await searchFresh(input, memory, request);
      for (const notice of notices) input.tell?.(`continuo: ${notice}`);
      const preference = preferenceNotice(hits, seenFrom, "--all-projects searches all alike");
      const shown = { total, page, pageSize };
      const isEmpty = total === 0 && !hasNotes(memory);
      const own = isEmpty
        ? NO_NOTES
        : [...hitLines(input, hits, words, shown), ...preference.map(oneLine)].join("\n");
      const isAsked = others !== undefined || input.values["json"] === true;
      const hint = total > 0 || isAsked ? [] : await sessionsHint(input, query, filter);
      return {
        // Not computed for people: concepts are read from the texts.
        get data() {
          const preferred = seenFrom?.name ?? null;
          const results = hits.map(hitToJson);
          return {
            query,
            mode: mode ?? "Hybrid",
            page,
            pageSize,
            total,
            notices,
            preferred,
            results,
            ...others?.data,
          };
        },
        text: [
          own,
          ...hint,
          ...(others === undefined ? afterHits(input, hits, shown) : ["", ...others.lines]),
        ].join("\n"),
      };
    });
  },
};

function hitToJson({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}
