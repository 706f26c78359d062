import type { Installer } from "../../../hosts/port/installer.ts";
import { type Change, isChange } from "../../../hosts/shared/install/wire.ts";
import type { Input } from "../../command.ts";
import { aboutHidden, showDiff } from "../../terminal/diff.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { foldRepeats } from "./fold-repeats.ts";
import { hooksInWords } from "./hooks-in-words.ts";

type Where = Pick<Input, "env" | "screen" | "output">;

/** The edits of settings files as one text. The diff is not wrapped: its lines are those of the file. */
export async function diffOf(
  { screen = PLAIN }: Where,
  changes: readonly Change[],
  /** What another answer would add to the edit, and how to say that. */
  also?: { readonly about: string; readonly changes: readonly Change[] },
): Promise<string> {
  const diffs = await Promise.all(changes.filter(isChange).map(showDiff));
  if (also !== undefined) {
    const more = await Promise.all(also.changes.filter(isChange).map(showDiff));
    diffs.push(`\n${wrapOn(also.about, screen)}`, ...more);
  }
  const note = aboutHidden(diffs.join("\n"));
  return [...diffs, ...(note === undefined ? [] : [wrapOn(note, screen)])].join("\n");
}

/** What an edit adds in plain words, then the edit itself. */
export async function explainedDiff(
  input: Where,
  installer: Installer,
  changes: readonly Change[],
  also?: Parameters<typeof diffOf>[2],
): Promise<string> {
  const words = hooksInWords(installer, input.env, changes);
  const about =
    words.length === 0 ? [] : [`${wrapOn(words.join("\n"), input.screen ?? PLAIN, { hang: 2 })}\n`];
  return [...about, await diffOf(input, changes, also)].join("\n");
}

/**
 * Shows it at a question, page by page if it is long, without entries that repeat the one above. `command` shows all of them.
 */
export function sayDiff({ output, screen = PLAIN }: Where, diff: string, command: string): void {
  const short = foldRepeats(diff);
  const more = short === diff ? [] : [wrapOn(`To see every line of the edit: ${command}`, screen)];
  output?.say([short, ...more, ""].join("\n"));
}
