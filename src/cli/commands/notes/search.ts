import { describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findAll, findersFor } from "../../../moments/find.ts";
import type { Hit as FinderHit, FindFilter, Findings } from "../../../moments/ports/finder.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
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
import { counted } from "../../terminal/table.ts";
import { hasNotes, NO_NOTES, searchFresh, withMemory } from "./with-memory.ts";

/** Filters that `search` and `recent` share. */
export const FILTER_OPTIONS = {
  folder: {
    type: "string",
    value: "FOLDER",
    help: "only notes in this folder; @name for another memory folder",
  },
  tag: { type: "string", multiple: true, value: "TAG", help: "only notes with this tag; may be repeated" },
  project: { type: "string", value: "NAME", help: "only notes of this project; . for the current one" },
  since: { type: "string", value: "WHEN", help: "only notes changed since then: 2026-11-01, 24h, 7d" },
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
  summary: "search notes, and past sessions with --sessions",
  usage: SEARCH_USAGE,
  group: "notes",
  options: {
    mode: {
      type: "string",
      value: "MODE",
      choices: MODES,
      help: "Hybrid (default), FullText or Semantic",
    },
    ...FILTER_OPTIONS,
    "all-projects": { type: "boolean", help: "do not prefer notes of the current project" },
    limit: { type: "string", value: "N", help: "results per page (default: 10)" },
    page: { type: "string", value: "N", help: "page number (default: 1)" },
    sessions: { type: "boolean", help: "search past sessions of all hosts too" },
    "min-score": { type: "string", value: "SCORE", help: "only notes with at least this score, 0 to 1" },
  },
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
      const { hits, total, notices } = await searchFresh(input, memory, request);
      for (const notice of notices) input.tell?.(`continuo: ${notice}`);
      const preference = preferenceNotice(hits, seenFrom, "--all-projects searches all alike");
      const isEmpty = total === 0 && !hasNotes(memory);
      const own = isEmpty
        ? NO_NOTES
        : [...hitLines(hits, { total, page, pageSize }), ...preference.map(oneLine)].join("\n");
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
        text: [own, ...(others === undefined ? [] : ["", ...others.lines])].join("\n"),
      };
    });
  },
};

function hitToJson({ modified, ...hit }: Hit) {
  return { ...hit, modified: new Date(modified).toISOString() };
}

function hitLines(
  hits: readonly Hit[],
  { total, page, pageSize }: { readonly total: number; readonly page: number; readonly pageSize: number },
): string[] {
  const pages = Math.ceil(total / pageSize);
  if (total === 0) return ["No matching notes. Try fewer words or another spelling."];
  if (hits.length === 0) return [`Page ${page} does not exist; the last page is ${pages}.`];
  return [
    ...hits.flatMap(({ score, title, uri, modified, snippet }) => [
      `${score.toFixed(2)}  ${oneLine(title)}`,
      `      ${oneLine(uri)}  ${new Date(modified).toISOString().slice(0, 10)}`,
      ...(snippet.trim() === "" ? [] : [`      ${oneLine(snippet)}`]),
      "",
    ]),
    `${counted(total, "note")}${pages > 1 ? `, page ${page} of ${pages}` : ""}`,
  ];
}

/** A person waits for new sessions to be indexed, within reason. */
const PATIENCE_MS = 10_000;
const DEADLINE_MS = 30_000;

export interface FoundElsewhere {
  /** Under the name of the kind, as `--json` prints it; null when it could not be searched. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/** Results of one other kind than notes. */
export async function foundElsewhere(
  world: World,
  kind: string,
  request: {
    readonly query: string;
    readonly filter: FindFilter;
    readonly page: number;
    readonly pageSize: number;
  },
): Promise<FoundElsewhere> {
  const { env, cwd, now, history } = world;
  const call: ToolContext = {
    session: { host: "cli", id: "" },
    cwd,
    home: findHome(env),
    env,
    now: now(),
    history,
  };
  const { pageSize, ...sought } = request;
  const finders = findersFor(await world.finders(), kind, request.filter, call);
  const options = { call, pageSize, deadlineMs: DEADLINE_MS, onFailure: () => undefined };
  // If this search fails, the notes are still shown.
  const [answer] = await findAll(finders, { ...sought, patienceMs: PATIENCE_MS }, options).catch(
    (error: unknown) => {
      world.tell?.(`continuo: the ${kind} could not be searched: ${describeError(error).message}`);
      return [];
    },
  );
  if (answer === undefined || "failure" in answer) return { data: { [kind]: null }, lines: [] };
  const { hits, total, notices } = answer.findings;
  for (const notice of notices) world.tell?.(`continuo: ${notice}`);
  return {
    data: { [kind]: { total, results: hits.map(foundToJson) } },
    lines: foundLines(answer.findings, kind, answer.finder.nothing),
  };
}

function foundToJson({ time, goOn, ...rest }: FinderHit) {
  return { ...rest, modified: new Date(time).toISOString(), resume: goOn ?? null };
}

function foundLines({ hits, total }: Findings, kind: string, nothing: string): string[] {
  if (hits.length === 0) return [nothing];
  return [
    ...hits.flatMap(({ score, title, where, excerpt, goOn }) => [
      `${score.toFixed(2)}  ${oneLine(title)}`,
      `      ${oneLine(where.join(", "))}`,
      ...(excerpt === "" ? [] : [`      ${oneLine(excerpt)}`]),
      ...(goOn === undefined ? [] : [`      ${oneLine(goOn)}`]),
      "",
    ]),
    `${counted(total, kind.replace(/s$/, ""))}`,
  ];
}
