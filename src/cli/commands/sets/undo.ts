import { commandWord, shortId } from "../../../base/for-terminal.ts";
import type { Chosen } from "../../../moments/state/choose-session.ts";
import { type Context, itemsOf } from "../../../sources/sets/sets.ts";
import type { Input } from "../../command.ts";
import { undoLine } from "../notes/undo-line.ts";

/** Longer commands are more than a person types or a shell takes. */
const MOST = 2_000;

/** The commands that put sets back as they were. A set that had nothing is emptied. */
export function undoLines(input: Input, chosen: Chosen, before: Context, names: readonly string[]): string[] {
  const where = `--session ${shortId(chosen.session.id)}`;
  return names.flatMap((name) => {
    const items = Object.hasOwn(before, name) ? itemsOf(before, name) : [];
    if (items.length === 0) return [undoLine(input, `continuo sets clear ${where} -- ${commandWord(name)}`)];
    const command = `continuo sets set ${where} -- ${[name, ...items].map(commandWord).join(" ")}`;
    return command.length > MOST ? [] : [undoLine(input, command)];
  });
}
