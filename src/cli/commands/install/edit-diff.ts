import type { Installer } from "../../../hosts/port/installer.ts";
import { type Change, isChange } from "../../../hosts/shared/install/wire.ts";
import type { Input } from "../../command.ts";
import { aboutHidden, showDiff } from "../../terminal/diff.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrap, wrapOn } from "../../terminal/wrap.ts";
import { hooksInWords } from "./hooks-in-words.ts";

/** The edits of settings files as one text. */
export async function diffOf(changes: readonly Change[]): Promise<string> {
  const diffs = await Promise.all(changes.filter(isChange).map(showDiff));
  const note = aboutHidden(diffs.join("\n"));
  // The diff is not wrapped: its lines are those of the file.
  return [...diffs, ...(note === undefined ? [] : [wrap(note)])].join("\n");
}

/** What an edit adds in plain words, then the edit itself. */
export async function explainedDiff(
  { env, screen = PLAIN }: Pick<Input, "env" | "screen">,
  installer: Installer,
  changes: readonly Change[],
): Promise<string> {
  const words = hooksInWords(installer, env, changes);
  const about = words.length === 0 ? [] : [`${wrapOn(words.join("\n"), screen, { hang: 2 })}\n`];
  return [...about, await diffOf(changes)].join("\n");
}

/** Shows it at a question, page by page if it is long: all hooks of an agent are hundreds of lines. */
export function sayDiff({ output }: Pick<Input, "output">, diff: string): void {
  output?.say(`${diff}\n`);
}
