import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import type { Chosen } from "../../../moments/state/choose-session.ts";
import { folderOfUser, type MetaPatch, type SessionMeta } from "../../../moments/state/session-meta.ts";
import { checkText } from "../../../sources/sets/api.ts";
import { type Change, type ChangeRequest, changeContext } from "../../../sources/sets/change.ts";
import { changedEvent, changeStored, publish } from "../../../sources/sets/events.ts";
import { type Context, itemsOf } from "../../../sources/sets/sets.ts";
import type { Input, Outcome } from "../../command.ts";
import { confirmed } from "../../terminal/input.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { chooseSession, sessionLine } from "./session.ts";
import { fields, keys } from "./show.ts";
import { undoLines } from "./undo.ts";

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
      hint: `continuo sets set ${commandWord(setName)} ITEM…; to empty it: continuo sets clear ${commandWord(setName)}`,
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
  const isChanged = change !== undefined && change.added.length + change.removed.length > 0;
  const changed = isChanged && setName !== undefined ? [setName] : [];
  return outcome(input, chosen, meta, change === undefined ? [] : [change], [
    ...fields(meta, texts),
    ...undoLines(input, chosen, before, changed),
  ]);
}

export async function clear(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const [, ...named] = input.positionals;
  const before = chosen.file.read()?.context ?? {};
  const all = Object.keys(before);
  const names = input.values["all"] === true ? all : named;
  if (names.length === 0 && input.values["all"] !== true) {
    throw new ContinuoError("usage", "SET is missing", {
      hint: all.length === 0 ? "this session has no sets" : `one of ${oneLine(all.join(", "))}, or --all`,
    });
  }
  if (input.values["all"] === true && all.length > 0 && !(await confirmed(input, questionAbout(before))))
    throw new ContinuoError("not-confirmed", "nothing was changed");
  const changes: Change[] = [];
  for (const setName of names) changes.push(await changeIn(chosen, input, { setName, mode: "clear" }));
  return outcome(input, chosen, chosen.file.read(), changes, [
    ...(names.length === 0 ? ["Nothing to clear."] : []),
    // Nothing is undone of a set that was empty.
    ...undoLines(
      input,
      chosen,
      before,
      names.filter((name) => Object.hasOwn(before, name) && itemsOf(before, name).length > 0),
    ),
  ]);
}

function questionAbout(context: Context): string {
  const names = Object.entries(context).map(([name, items]) => `${oneLine(name)} (${items.length})`);
  return `Empty ${counted(names.length, "set")} of this session: ${names.join(", ")}?`;
}

export function changeIn(chosen: Chosen, input: Input, request: ChangeRequest): Promise<Change> {
  return changeStored(chosen.file, chosen.session, request, { ...placeOf(input), at: input.now() });
}

export async function outcome(
  input: Input,
  chosen: Chosen,
  meta: SessionMeta | undefined,
  changes: readonly Change[],
  more: readonly string[] = [],
): Promise<Outcome> {
  const changeLines = changes.flatMap((one) => [
    // The text is also for models, which get it unchanged.
    oneLine(
      one.text
        .replace(/\b1 items\b/, "1 item")
        .replace(/^Merged (.*): (\d+ items?)/, "Added to $1, which has $2 now"),
    ),
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
    text: [
      await sessionLine(input, chosen),
      ...changeLines.map((line) => wrapOn(line, input.screen ?? PLAIN, { hang: 2 })),
      ...more,
    ].join("\n"),
  };
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
