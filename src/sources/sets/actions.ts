import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { commandWord, oneLine, shortId } from "../../base/for-terminal.ts";
import { nearest } from "../../base/text.ts";
import { ago, count } from "../../base/when.ts";
import { fields, flag, line, optional, text, texts } from "../../moments/actions/fields.ts";
import { notAsked } from "../../moments/actions/not-asked.ts";
import { namedSession, SESSION, sessionLine } from "../../moments/actions/session.ts";
import { type ActionGroup, action, type Place } from "../../moments/ports/action.ts";
import type { Block, Shown } from "../../moments/ports/view.ts";
import { shortPath } from "../../moments/project/known-project.ts";
import { shortPaths } from "../../moments/project/short-paths.ts";
import { type Chosen, chooseSession } from "../../moments/state/choose-session.ts";
import { folderOfUser, type SessionMeta } from "../../moments/state/session-meta.ts";
import { type FileUse, projectPath } from "../../moments/working-set.ts";
import type { Change, ChangeRequest } from "./change.ts";
import { changeSets, keepEvents } from "./events.ts";
import { MAX_HINT, MAX_NAME } from "./intent.ts";
import { type Context, checkSetName, itemsOf } from "./sets.ts";

/** Long enough for `checkItems` to report what is wrong with it. */
const MOST = 100_000;

const get = action({
  name: "sets get",
  about: "show the sets of the session",
  examples: [["continuo sets get files", "show one set"]],
  effect: "reads",
  input: fields({ set: optional(text("name of the set, such as files", { typed: "word" })), ...SESSION }),
  async run({ set: only, ...wanted }, place) {
    const chosen = chooseSession(place, wanted);
    const meta: SessionMeta = chosen.file.read() ?? { name: "" };
    const all = meta.context ?? {};
    // A name that another program stored is shown even if it is not valid here.
    const name = only === undefined || Object.hasOwn(all, only) ? only : checkSetName(only);
    const context: Context = name === undefined ? all : { [name]: itemsOf(all, name) };
    return { ...(await about(chosen, place)), meta, context, facts: name === undefined ? factsOf(meta) : [] };
  },
  json: ({ keys, meta, context }) => ({ ...keys, ...meta, context }),
  view({ named, root, facts, context }, shown) {
    const { paint, env } = shown;
    const sets = Object.entries(context).flatMap(([name, items]): Block[] => [
      `${paint("bold", oneLine(name))}:${items.length === 0 ? " none" : ""}`,
      ...items.map((item) => ({ text: `  ${oneLine(shortPaths(item, root, env))}`, hang: 2 })),
    ]);
    return [
      sessionLine(named, shown),
      ...facts,
      ...(sets.length > 0
        ? sets
        : [
            "This session has no context sets.",
            { next: [["continuo sets pin", "Pin files that the session used"]] } as const,
          ]),
    ];
  },
});

const set = action({
  name: "sets set",
  about: "replace a set",
  examples: [
    ["continuo sets set files spec.md", "make spec.md the only pinned file"],
    ["continuo sets set ports 5432 8080 --merge", "add two ports"],
  ],
  effect: "writes",
  input: fields({
    set: optional(text("name of the set, such as files", { typed: "word", most: MOST })),
    items: optional(
      texts("what it contains: paths, ports, anything", { typed: "rest", value: "ITEM", most: MOST }),
    ),
    merge: optional(flag("add the items instead of replacing the set")),
    ...SESSION,
    name: optional(line("name the session", MAX_NAME, { value: "NAME", fallback: "its name stays" })),
    envHint: optional(
      line("a hint about the environment, for the agent", MAX_HINT, { value: "TEXT", fallback: "it stays" }),
    ),
  }),
  async run({ set: setName, items = [], merge = false, name, envHint, ...wanted }, place) {
    const chosen = chooseSession(place, wanted);
    const hasTexts = name !== undefined || envHint !== undefined;
    if (setName === undefined && !hasTexts)
      throw new ContinuoError("usage", "SET is missing", {
        hint: "for example: continuo sets set files spec.md",
      });
    if (setName !== undefined && items.length === 0)
      throw new ContinuoError("usage", "ITEM is missing", {
        hint: `continuo sets set ${commandWord(setName)} ITEM…; to empty it: continuo sets clear ${commandWord(setName)}`,
      });
    const requests =
      setName === undefined ? [] : [{ setName, items, mode: merge ? "merge" : ("replace" as const) }];
    const texts = { name, envHint: envHint === "" ? null : envHint };
    const done = await change(chosen, place, requests, texts);
    const said = [...(name === undefined ? [] : ["name"]), ...(envHint === undefined ? [] : ["envHint"])];
    return { ...done, lines: factsOf(done.meta, said) };
  },
  json: toJson,
  view: changedBlocks,
});

const clear = action({
  name: "sets clear",
  about: "empty sets",
  guide: "It prints the command that puts them back. With --all it asks first.",
  examples: [["continuo sets clear --all", "empty every set of the session"]],
  effect: "writes",
  input: fields({
    sets: optional(texts("names of sets, such as files", { typed: "rest", value: "SET", most: MOST })),
    all: optional(flag("every set of the session")),
    ...SESSION,
  }),
  asks({ all, ...wanted }, place) {
    if (all !== true) return undefined;
    const { session, file } = chooseSession(place, wanted);
    const sets = Object.entries(file.read()?.context ?? {});
    if (sets.length === 0) return undefined;
    const listed = sets.map(([name, items]) => `${oneLine(name)} (${items.length})`).join(", ");
    return {
      ask: `Empty ${count(sets.length, "set")} of this session: ${listed}?`,
      unasked: notAsked(),
      declined: { data: { changes: [] }, text: "Nothing was changed." },
      // By the time of the answer, another session may be the last one, or it may have more sets.
      input: { sets: sets.map(([name]) => name), session: session.id, host: session.host },
    };
  },
  async run({ sets = [], all = false, ...wanted }, place) {
    const chosen = chooseSession(place, wanted);
    const known = Object.keys(chosen.file.read()?.context ?? {});
    const names = all ? known : sets;
    if (names.length === 0 && !all)
      throw new ContinuoError("usage", "SET is missing", {
        hint:
          known.length === 0 ? "this session has no sets" : `one of ${oneLine(known.join(", "))}, or --all`,
      });
    const requests = names.map((setName) => ({ setName, mode: "clear" }));
    const done = await change(chosen, place, requests);
    return { ...done, lines: names.length === 0 ? ["Nothing to clear."] : [] };
  },
  json: toJson,
  view: changedBlocks,
});

/** How many files of the working set are listed. */
const LISTED = 50;

const pin = action({
  name: "sets pin",
  about: "pin files that the session used",
  guide: "Adds them to the set files. Without arguments, it lists the files in use with their numbers.",
  examples: [
    ["continuo sets pin", "list the files in use"],
    ["continuo sets pin 1 lib/cart.ts", "pin the first of them and another file"],
  ],
  effect: "writes",
  input: fields({
    files: optional(
      texts("files by their numbers in the list, or by their paths, even if the session has not used them", {
        typed: "rest",
        value: "FILE",
        most: MOST,
      }),
    ),
    ...SESSION,
  }),
  async run({ files: named = [], ...wanted }, place) {
    const chosen = chooseSession(place, wanted);
    const used = [...chosen.workingSet].reverse();
    if (named.length === 0) return { ...(await about(chosen, place)), used };
    const root = rootOf(chosen, place);
    const items = named.map((one) => resolve(root, find(one, used, root, place)));
    const done = await change(chosen, place, [{ setName: "files", items, mode: "merge" }]);
    return { ...done, lines: items.map((path) => `  ${oneLine(shortPath(path, place.env))}`) };
  },
  json: (data) => ("used" in data ? { ...data.keys, workingSet: data.used } : toJson(data)),
  view(data, shown) {
    if (!("used" in data)) return changedBlocks(data, shown);
    const { named, used } = data;
    if (used.length === 0) return [sessionLine(named, shown), "This session has not used any files yet."];
    const rows = used
      .slice(0, LISTED)
      .map((use, i) => [String(i + 1), use.edited ? "edited" : "read", ago(use.at, shown.now), use.path]);
    const rest = used.length - LISTED;
    return [
      sessionLine(named, shown),
      { columns: ["", "use", "last", "file"], rows, fit: { keepEnd: [3], optional: [1] } },
      ...(rest > 0 ? [`  and ${count(rest, "older file")}`] : []),
      `To pin: ${shown.paint("cyan", "continuo sets pin NUMBER|PATH…")}`,
    ];
  },
});

function find(wanted: string, used: readonly FileUse[], root: string, { cwd }: Place): string {
  const path = projectPath(wanted, cwd, root);
  // A file may be named "3": a path in the working set takes precedence over a number.
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  const found = used.find((use) => use.path === path || use.path === wanted) ?? used[number - 1];
  if (found !== undefined) return found.path;
  // Any existing file, whether it was used or not.
  if (existsSync(resolve(cwd, wanted))) return resolve(cwd, wanted);
  const near = nearest(
    path,
    used.slice(0, LISTED).map((use) => use.path),
  );
  throw new ContinuoError(
    "no-such-file",
    `there is no file "${wanted}", and the session used none of this name`,
    {
      hint:
        near === undefined
          ? `use a number from 1 to ${used.length} or a path from "continuo sets pin"`
          : `did you mean "${near}"?`,
    },
  );
}

async function about(chosen: Chosen, place: Place) {
  const { session, file } = chosen;
  const keys = { host: session.host, session: session.id, path: file.path };
  return { keys, root: rootOf(chosen, place), named: await namedSession(chosen, place) };
}

const rootOf = ({ project }: Chosen, { cwd }: Place): string => project?.root ?? cwd;

interface Changed extends Awaited<ReturnType<typeof about>> {
  readonly meta: SessionMeta;
  readonly changes: readonly Change[];
  /** Shown below the changes. */
  readonly lines: readonly string[];
  /** The commands that restore the previous sets. */
  readonly undo: readonly string[];
}

/** One update for everything: if an item is refused, nothing changes. */
async function change(
  chosen: Chosen,
  place: Place,
  requests: readonly ChangeRequest[],
  patch: Partial<Record<"name" | "envHint", string | null>> = {},
): Promise<Omit<Changed, "lines">> {
  const { session, file } = chosen;
  const stop = keepEvents(place.home);
  try {
    const where = { cwd: place.cwd, home: folderOfUser(place.env), at: place.now() };
    const { before, changes, meta } = await changeSets(file, session, { requests, patch }, where);
    const changed = changes.filter(({ added, removed }) => added.length + removed.length > 0);
    const undo = changed.flatMap(({ setName }) => undoCommand(session.id, setName, itemsOf(before, setName)));
    return { ...(await about(chosen, place)), meta, changes, undo };
  } finally {
    stop();
  }
}

/** Longer commands are more than a user types or a shell accepts. */
const MOST_OF_A_COMMAND = 2_000;

/** A set that was empty is cleared. */
function undoCommand(session: string, setName: string, items: readonly string[]): string[] {
  const done = items.length === 0 ? "clear" : "set";
  const words = [setName, ...items].map(commandWord).join(" ");
  const command = `continuo sets ${done} --session ${shortId(session)} -- ${words}`;
  return command.length > MOST_OF_A_COMMAND ? [] : [command];
}

function toJson({ keys, meta, changes }: Changed) {
  const parts = changes.map(({ text: _, context: __, ...part }) => part);
  return { ...keys, ...meta, context: meta.context ?? {}, changes: parts };
}

function changedBlocks({ named, changes, lines, undo }: Changed, shown: Shown): readonly Block[] {
  return [
    sessionLine(named, shown),
    ...changes
      .flatMap(({ text: said, warning }) => [
        // The original text is also for models, which get it unchanged.
        said.replace(/^Merged (.*): (\d+ items?)/, "Added to $1, which has $2 now"),
        ...(warning === undefined ? [] : [`Warning: ${warning}`]),
      ])
      .map((said) => ({ text: oneLine(said), hang: 2 })),
    ...lines,
    ...undo.map((command) => ({ undo: command })),
  ];
}

/** The labels of a session's fields. */
const LABELS = { name: "name", envHint: "environment", currentIntent: "working on" } as const;

/** `only`: show these fields, even those without a value. */
function factsOf(meta: SessionMeta, only?: readonly string[]): string[] {
  return Object.entries(LABELS).flatMap(([field, label]) => {
    const value = meta[field as keyof typeof LABELS] || undefined;
    if (only === undefined ? value === undefined : !only.includes(field)) return [];
    return [`${label}: ${value === undefined ? "none" : oneLine(value)}`];
  });
}

/** The actions on sets. */
export const SET_GROUPS = [
  {
    name: "sets",
    about: "pin files and facts for a session",
    section: "sessions",
    guide:
      "A set is a named list that a session keeps, such as files or ports. After a resume or a compaction, the agent receives it again.",
    examples: [["continuo sets set files spec.md", "the agent gets spec.md again after each compaction"]],
    actions: [get, set, clear, pin],
  },
] satisfies readonly ActionGroup[];
