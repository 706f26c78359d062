import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago, count } from "../../../base/when.ts";
import { doneAbout } from "../../../moments/given/words.ts";
import type { Block, Shown } from "../../../moments/ports/view.ts";
import type { NamedPlace } from "./report.ts";

const NAME_WIDTH = 50;

/** Wide enough for `yesterday` and `59 min ago`; a date in another year is wider. */
const WHEN_WIDTH = 10;

/** The places, grouped by session. */
export function placeLines(
  places: readonly NamedPlace[],
  all: number,
  { now, paint }: Pick<Shown, "now" | "paint">,
): Block[] {
  let session = "";
  return [
    ...places.flatMap((place): Block[] => {
      const { host, at, path, line, text, more, agentName, sessionName } = place;
      const key = `${host}\n${place.session}`;
      const isNew = key !== session;
      session = key;
      const name = clipWithin(oneLine(sessionName), NAME_WIDTH) || "unnamed session";
      const where = path === undefined ? "" : `${oneLine(path)}${line === undefined ? "" : `:${line}`}  `;
      const others = more === undefined ? "" : ` and ${count(more, "more place")}`;
      const title = `${paint("bold", name)}  ${paint("dim", `(${agentName}, ${shortId(place.session, places)})`)}`;
      const found = `  ${paint("dim", ago(at, now).padEnd(WHEN_WIDTH))}  ${where}${oneLine(text)}${others}  ${paint("dim", `(${doneAbout(place)})`)}`;
      return [
        ...(isNew ? [{ text: title, hang: 2, isNarrow: true as const }] : []),
        { text: found, hang: 2, isNarrow: true },
      ];
    }),
    ...(all > places.length ? ["", `Showing ${places.length} of ${all}. Use --limit.`] : []),
  ];
}
