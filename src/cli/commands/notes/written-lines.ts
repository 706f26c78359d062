import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Input } from "../../command.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";

/** The address and the file of a note that was written. */
export function writtenLines(
  { screen = PLAIN, env }: Pick<Input, "screen" | "env">,
  { uri, path }: { readonly uri: string; readonly path: string },
  what = "Written",
): string[] {
  const paint = paintFor(screen);
  return [
    `${paint("green", `${what}:`)} ${paint("bold", oneLine(uri))}`,
    `  ${paint("dim", oneLine(shortPath(path, env)))}`,
  ];
}
