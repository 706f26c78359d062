import type { Report } from "../../../moments/ports/history.ts";

/** Said of lines that no time would be enough for. */
export function passedOver(lines: number): string {
  return `${lines} line(s) too long, or too deeply nested, to read`;
}

/** What of a transcript could not be read, a line each. */
export function troublesIn({ failure, damaged, oversized }: Report): string[] {
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(damaged > 0 ? [`${damaged} damaged line(s) passed over`] : []),
    ...(oversized > 0 ? [passedOver(oversized)] : []),
  ];
}
