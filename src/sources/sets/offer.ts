import type { Completion, CompletionItem, Offer, OfferContext } from "../../moments/ports/offer.ts";
import { folderOfUser, type MetaFile, metaFile } from "../../moments/state/session-meta.ts";
import { changeStored } from "./events.ts";
import { type Context, checkSetName, itemsOf, KNOWN_SETS, shorten } from "./sets.ts";

/** Completion and a slash command for the sets of the current session. */
export const contextOffer: Offer = {
  source: "context",
  completers: [{ name: "sets", trigger: "#", complete: completeSet }],
  commands: [
    {
      name: "continuo-sets",
      description: "What this session keeps: all sets, SET, SET ITEM… to replace one, SET - to empty it",
      complete: completeName,
      run: showOrChange,
    },
  ],
};

/** Completes `#ports` to the items of the set, so that the user need not type a port or a path twice. */
function completeSet(before: string, context: OfferContext): Completion | undefined {
  const typed = /(?:^|\s)(#[A-Za-z0-9_.-]*)$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const items = Object.entries(setsOf(context))
    .filter(([name]) => `#${name}`.toLowerCase().startsWith(typed.toLowerCase()))
    .map(([name, set]) => ({ value: set.join(" "), label: `#${name}`, description: inShort(set) }));
  return items.length === 0 ? undefined : { replaces: typed, items };
}

function completeName(argument: string, context: OfferContext): CompletionItem[] {
  const sets = setsOf(context);
  return [...new Set([...Object.keys(sets), ...KNOWN_SETS])]
    .filter((name) => name.startsWith(argument))
    .map((name) => ({ value: name, label: name, description: inShort(itemsOf(sets, name)) || "empty" }));
}

async function showOrChange(argument: string, context: OfferContext): Promise<string> {
  const [setName, ...items] = argument.split(/\s+/).filter((word) => word !== "");
  const sets = setsOf(context);
  if (setName === undefined) return show(sets);
  if (items.length === 0) {
    const name = Object.hasOwn(sets, setName) ? setName : checkSetName(setName);
    return show({ [name]: itemsOf(sets, name) });
  }
  const isEmptied = items.length === 1 && items[0] === "-";
  const request = { setName, ...(isEmptied ? { mode: "clear" } : { items }) };
  const place = { cwd: context.cwd, home: folderOfUser(context.env), at: context.now };
  const { text, warning } = await changeStored(fileOf(context), context.session, request, place);
  return warning === undefined ? text : `${text}\nWarning: ${warning}`;
}

function show(sets: Context): string {
  const lines = Object.entries(sets).flatMap(([name, items]) => [
    `${name}:${items.length === 0 ? " none" : ""}`,
    ...items.map((item) => `  ${item}`),
  ]);
  return lines.length === 0 ? "This session keeps no sets." : lines.join("\n");
}

function inShort(items: readonly string[]): string {
  return shorten(items.join(", "));
}

function setsOf(context: OfferContext): Context {
  return fileOf(context).read()?.context ?? {};
}

function fileOf({ home, env, session }: OfferContext): MetaFile {
  return metaFile(home, folderOfUser(env), session, { lockWaitMs: LOCK_WAIT_MS });
}

/** Short, because the user is waiting. */
const LOCK_WAIT_MS = 1_000;
