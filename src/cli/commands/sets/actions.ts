import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { checkText } from "../../../sources/context/api.ts";
import { type Change, type ChangeRequest, changeContext } from "../../../sources/context/change.ts";
import { changedEvent, changeStored, publish } from "../../../sources/context/events.ts";
import type { MetaPatch, SessionMeta } from "../../../sources/context/metadata.ts";
import { folderOfUser } from "../../../sources/context/metadata.ts";
import { type Context, checkSetName, itemsOf } from "../../../sources/context/sets.ts";
import type { Input, Outcome } from "../../command.ts";
import { type Chosen, chooseSession } from "./session.ts";

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
    throw new ContinuoError("usage", "what is to be set?", {
      hint: "continuo sets set SET ITEM…, for example: continuo sets set files spec.md",
    });
  }
  if (setName !== undefined && items.length === 0) {
    throw new ContinuoError("usage", `which items has ${setName}?`, {
      hint: oneLine(`continuo sets set ${setName} ITEM…; to empty it: continuo sets clear ${setName}`),
    });
  }
  let before: Context = {};
  let change: Change | undefined;
  // One update for all, so that a refused item leaves the name as it was too.
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
    throw new ContinuoError("usage", "which set is to be cleared?", {
      hint: all.length === 0 ? "this session has none" : `one of ${oneLine(all.join(", "))}, or --all`,
    });
  }
  const changes: Change[] = [];
  for (const setName of names) changes.push(await changeIn(chosen, input, { setName, mode: "clear" }));
  return outcome(
    chosen,
    chosen.file.read(),
    changes,
    names.length === 0 ? ["There was nothing to clear."] : [],
  );
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
  const told = changes.flatMap((one) => [
    oneLine(one.text),
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
    text: [chosen.line, ...told, ...more].join("\n"),
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
  return sets.length === 0 ? ["No context stored for this session"] : sets;
}
