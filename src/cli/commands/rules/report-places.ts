import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { ago } from "../../../base/when.ts";
import type { BrokenPlace } from "../../../sources/rules/report/places.ts";
import { paintFor } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { counted, footer, padTo } from "../../terminal/table.ts";
import { wrap } from "../../terminal/wrap.ts";

const NAME_WIDTH = 50;

/** What was done about a breach. `isTold`: the agent was reminded, as far as the ledger shows. */
export function doneAbout({
  reaction,
  isTold,
}: {
  readonly reaction: string;
  readonly isTold: boolean;
}): string {
  if (reaction === "remind" && !isTold)
    return "the agent was not told: its next prompt would bring the reminder";
  return DONE[reaction] ?? oneLine(reaction);
}

const DONE: Readonly<Record<string, string>> = {
  remind: "the agent was reminded",
  deny: "refused",
  ask: "you were asked before the call",
  report: "recorded",
  question: "asked in continuo review",
  none: "told before",
};

/** `yesterday` and `59 min ago`; a date of another year is wider. */
const WHEN_WIDTH = 10;

export interface PlaceView {
  readonly screen: Screen;
  readonly now: number;
  readonly agentOf: (host: string) => string;
}

/** The places, under the name of each session. */
export function placeLines(
  places: readonly BrokenPlace[],
  all: number,
  nameOf: (place: BrokenPlace) => string,
  { screen, now, agentOf }: PlaceView,
): string[] {
  const paint = paintFor(screen);
  let session = "";
  return [
    ...places.flatMap((place) => {
      const { host, at, path, line, text, more } = place;
      const key = `${host}\n${place.session}`;
      const isNew = key !== session;
      session = key;
      const name = clipWithin(oneLine(nameOf(place)), NAME_WIDTH) || "unnamed session";
      const where = path === undefined ? "" : `${oneLine(path)}${line === undefined ? "" : `:${line}`}  `;
      const others = more === undefined ? "" : ` and ${counted(more, "more place")}`;
      return [
        ...(isNew
          ? [
              wrap(
                `${paint("bold", name)}  ${paint("dim", `(${agentOf(host)}, ${shortId(place.session, places)})`)}`,
                { width: screen.width },
              ),
            ]
          : []),
        wrap(
          `  ${paint("dim", padTo(ago(at, now), WHEN_WIDTH))}  ${where}${oneLine(text)}${others}  ${paint("dim", `(${doneAbout(place)})`)}`,
          { width: screen.width, hang: 2 },
        ),
      ];
    }),
    ...(all > places.length ? ["", footer(places.length, all)] : []),
  ];
}
