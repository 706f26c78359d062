import { paintFor } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { widthOf } from "./width.ts";
import { wrapOn } from "./wrap.ts";

/** Suggested next commands, after an empty line. Nothing if a program reads the output. */
export function nextSteps(
  screen: Screen,
  ...steps: readonly (readonly [command: string, whatFor: string] | undefined)[]
): string[] {
  if (!screen.isTerminal) return [];
  const lines = steps.flatMap((step) => (step === undefined ? [] : [stepLine(screen, step[0], step[1])]));
  return lines.length === 0 ? [] : ["", ...lines];
}

/** A command is meant to be copied, so on a narrow screen it gets its own line. */
export function stepLine(screen: Screen, command: string, whatFor: string): string {
  const paint = paintFor(screen);
  const line = `${paint("dim", `${whatFor}:`)} ${paint("cyan", command)}`;
  const isWide = screen.isFitted && widthOf(line) > screen.width;
  return isWide ? `${wrapOn(paint("dim", `${whatFor}:`), screen)}\n  ${paint("cyan", command)}` : line;
}
