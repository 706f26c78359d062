import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { folderOfUser, type MetaPatch, type SessionMeta } from "../../../moments/state/session-meta.ts";
import { type FileUse, projectPath } from "../../../moments/working-set.ts";
import { checkText } from "../../../sources/context/api.ts";
import { type Change, type ChangeRequest, changeContext } from "../../../sources/context/change.ts";
import { changedEvent, changeStored, keepEvents, publish } from "../../../sources/context/events.ts";
import { type Context, checkSetName, itemsOf } from "../../../sources/context/sets.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { counted, table } from "../../terminal/table.ts";
import { type Chosen, chooseSession } from "./session.ts";

const ACTIONS: Actions = { get, set, clear, pin };

export const setsCommand: Command = {
  name: "sets",
  summary: "show or change a session's context sets, such as files and ports",
  usage: "sets get|set|clear|pin [SET] [ITEM…]",
  options: {
    merge: { type: "boolean", help: "set: add the items instead of replacing the set" },
    all: { type: "boolean", help: "clear: every set" },
    session: {
      type: "string",
      value: "ID",
      help: "session (default: the current or last one of this project)",
    },
    host: { type: "string", value: "HOST", help: "only sessions of this host" },
    name: { type: "string", value: "NAME", help: "set: name the session" },
    "env-hint": { type: "string", value: "TEXT", help: "set: a hint about the environment" },
  },
  words: Object.keys(ACTIONS),
  uses: [
    ["get [SET]", "show the sets of the session (default)"],
    ["set SET ITEM…", "replace a set; --merge adds to it"],
    ["clear SET…", "empty sets; --all: every set"],
    ["pin [NUMBER|PATH…]", "pin files (adds them to the set `files`); without arguments: list those in use"],
  ],
  async run(input) {
    const action = chooseAction("sets", ACTIONS, input, "get");
    const stop = keepEvents(findHome(input.env));
    try {
      return await action(input);
    } finally {
      stop();
    }
  },
};

export function get(input: Input): Outcome {
  const chosen = chooseSession(input);
  const meta = chosen.file.read() ?? { name: "" };
  const context = meta.context ?? {};
  const only = input.positionals[1];
  const shown: Context =
    only === undefined || Object.hasOwn(context, only)
      ? only === undefined
        ? context
        : { [only]: itemsOf(context, only) }
      : { [checkSetName(only)]: [] };
  return {
    data: { ...keys(chosen), ...meta, context: shown },
    text: [chosen.line, ...(only === undefined ? fields(meta) : []), ...lines(shown)].join("\n"),
  };
}

export async function set(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const [, setName, ...items] = input.positionals;
  const texts = textsOf(input);
  if (setName === undefined && Object.keys(texts).length === 0) {
    throw new ContinuoError("usage", "SET is missing", {
      hint: "for example: continuo sets set files spec.md",
    });
  }
  if (setName !== undefined && items.length === 0) {
    throw new ContinuoError("usage", "ITEM is missing", {
      hint: oneLine(`continuo sets set ${setName} ITEM…; to empty it: continuo sets clear ${setName}`),
    });
  }
  let before: Context = {};
  let change: Change | undefined;
  // One update for everything: if an item is refused, the name does not change either.
  const meta = await chosen.file.update((old) => {
    before = old.context ?? {};
    if (setName === undefined) return texts;
    const mode = input.values["merge"] === true ? "merge" : "replace";
    change = changeContext(before, { setName, items, mode }, placeOf(input));
    return { ...texts, context: change.context };
  });
  const event = changedEvent(chosen.session, before, meta.context ?? {}, input.now());
  if (event !== undefined) publish(event);
  return outcome(chosen, meta, change === undefined ? [] : [change], fields(meta, texts));
}

export async function clear(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const [, ...named] = input.positionals;
  const all = Object.keys(chosen.file.read()?.context ?? {});
  const names = input.values["all"] === true ? all : named;
  if (names.length === 0 && input.values["all"] !== true) {
    throw new ContinuoError("usage", "SET is missing", {
      hint: all.length === 0 ? "this session has no sets" : `one of ${oneLine(all.join(", "))}, or --all`,
    });
  }
  const changes: Change[] = [];
  for (const setName of names) changes.push(await changeIn(chosen, input, { setName, mode: "clear" }));
  return outcome(chosen, chosen.file.read(), changes, names.length === 0 ? ["Nothing to clear."] : []);
}

export function changeIn(chosen: Chosen, input: Input, request: ChangeRequest): Promise<Change> {
  return changeStored(chosen.file, chosen.session, request, { ...placeOf(input), at: input.now() });
}

export function outcome(
  chosen: Chosen,
  meta: SessionMeta | undefined,
  changes: readonly Change[],
  more: readonly string[] = [],
): Outcome {
  const changeLines = changes.flatMap((one) => [
    // The text is also for models, which get it unchanged.
    oneLine(one.text.replace(/\b1 items\b/, "1 item")),
    ...(one.warning === undefined ? [] : [oneLine(`Warning: ${one.warning}`)]),
  ]);
  const parts = changes.map(({ setName, added, removed, evicted, warning }) => ({
    setName,
    added,
    removed,
    evicted,
    warning,
  }));
  return {
    data: { ...keys(chosen), name: "", ...meta, context: meta?.context ?? {}, changes: parts },
    text: [chosen.line, ...changeLines, ...more].join("\n"),
  };
}

export function keys({ session, file }: Chosen) {
  return { host: session.host, session: session.id, path: file.path };
}

function placeOf(input: Input) {
  return { cwd: input.cwd, home: folderOfUser(input.env) };
}

function textsOf({ values }: Input): Pick<MetaPatch, "name" | "envHint"> {
  const { name, "env-hint": hint } = values;
  return {
    ...(name === undefined ? {} : { name: checkText("--name", name, 200) }),
    ...(hint === undefined ? {} : { envHint: checkText("--env-hint", hint) || null }),
  };
}

function fields(meta: SessionMeta, only?: object): string[] {
  const shown = only === undefined ? ["name", "envHint", "currentIntent"] : Object.keys(only);
  return shown.flatMap((field) => {
    const value = meta[field as "name" | "envHint" | "currentIntent"];
    return value === undefined || value === ""
      ? only === undefined
        ? []
        : [`${field}: none`]
      : [`${field}: ${oneLine(value)}`];
  });
}

function lines(context: Context): string[] {
  const sets = Object.entries(context).flatMap(([name, items]) => [
    `${oneLine(name)}:${items.length === 0 ? " none" : ""}`,
    ...items.map((item) => `  ${oneLine(item)}`),
  ]);
  return sets.length === 0 ? ["This session has no context sets."] : sets;
}

const SHOWN = 50;

/** Adds files of the working set to the set `files`. Without arguments, lists the working set. */
export async function pin(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const files = [...chosen.workingSet].reverse();
  const [, ...named] = input.positionals;
  if (named.length === 0) return choices(chosen, files);
  const items = named.map((one) => resolve(rootOf(chosen, input), find(one, files, chosen, input)));
  const change = await changeIn(chosen, input, { setName: "files", items, mode: "merge" });
  return outcome(
    chosen,
    chosen.file.read(),
    [change],
    items.map((path) => `  ${path}`),
  );
}

function choices(chosen: Chosen, files: readonly FileUse[]): Outcome {
  const rows = files.map((use, i) => [
    String(i + 1),
    use.edited ? "edited" : "read",
    new Date(use.at).toISOString().slice(0, 19),
    use.path,
  ]);
  const rest = rows.length - SHOWN;
  const text =
    rows.length === 0
      ? "This session has not used any files yet."
      : [
          table(["", "use", "last", "file"], rows.slice(0, SHOWN)),
          ...(rest > 0 ? [`  and ${counted(rest, "older file")}`] : []),
          "To pin: continuo sets pin NUMBER|PATH…",
        ].join("\n");
  return { data: { ...keys(chosen), workingSet: files }, text: `${chosen.line}\n${text}` };
}

function find(wanted: string, files: readonly FileUse[], chosen: Chosen, input: Input): string {
  const path = projectPath(wanted, input.cwd, rootOf(chosen, input));
  // A file may be named "3": a path in the working set wins over a number.
  const number = /^\d{1,5}$/.test(wanted) ? Number(wanted) : 0;
  const found = files.find((use) => use.path === path || use.path === wanted) ?? files[number - 1];
  if (found !== undefined) return found.path;
  // Any file that is there, used or not.
  if (existsSync(resolve(input.cwd, wanted))) return resolve(input.cwd, wanted);
  const near = nearest(
    path,
    files.slice(0, SHOWN).map((use) => use.path),
  );
  throw new ContinuoError(
    "no-such-file",
    `there is no file "${wanted}", and the session used none of this name`,
    {
      hint:
        near === undefined
          ? `use a number from 1 to ${files.length} or a path from "continuo sets pin"`
          : `did you mean "${near}"?`,
    },
  );
}

function rootOf(chosen: Chosen, input: Input): string {
  return chosen.project?.root ?? input.cwd;
}
