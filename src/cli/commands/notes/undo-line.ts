import type { Input } from "../../command.ts";
import { stepLine } from "../../terminal/next-step.ts";
import { PLAIN } from "../../terminal/screen.ts";

/** The last line of a change: the command that undoes it. */
export function undoLine({ screen = PLAIN }: Pick<Input, "screen">, command: string): string {
  return stepLine(screen, command, "To undo");
}
