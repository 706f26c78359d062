import type { Report } from "../../../transcripts/reader.ts";

/** What of a transcript could not be read, a line each. */
export function troublesIn({ failure, damaged, oversized }: Report): string[] {
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(damaged > 0 ? [`${damaged} damaged line(s) passed over`] : []),
    ...(oversized > 0 ? [`${oversized} line(s) too long to read`] : []),
  ];
}
