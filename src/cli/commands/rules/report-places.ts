import { oneLine } from "../../../base/for-terminal.ts";
import { clipWithin } from "../../../base/text.ts";
import { localTime } from "../../../base/when.ts";
import type { BrokenPlace } from "../../../sources/rules/report/places.ts";
import { nameOfFile } from "../../../sources/sessions/left-off/name-of-file.ts";
import type { Input } from "../../command.ts";
import { counted, footer } from "../../terminal/table.ts";

const NAME_WIDTH = 50;

/** What was done about a breach. */
const DONE: Readonly<Record<string, string>> = {
  remind: "the agent was reminded",
  deny: "refused",
  ask: "you were asked before the call",
  report: "recorded",
  question: "asked in continuo review",
  none: "told before",
};

/** The places, under the name of each session. */
export function placeLines(
  places: readonly BrokenPlace[],
  all: number,
  nameOf: (place: BrokenPlace) => string,
): string[] {
  let session = "";
  return [
    ...places.flatMap((place) => {
      const { host, at, path, line, text, more, reaction } = place;
      const key = `${host}\n${place.session}`;
      const isNew = key !== session;
      session = key;
      const name = clipWithin(oneLine(nameOf(place)), NAME_WIDTH) || "unnamed session";
      const where = path === undefined ? "" : `${oneLine(path)}${line === undefined ? "" : `:${line}`}  `;
      const others = more === undefined ? "" : ` and ${counted(more, "more place")}`;
      return [
        ...(isNew ? [`${name}  (${host}, ${oneLine(place.session)})`] : []),
        `  ${localTime(at)}  ${where}${oneLine(text)}${others}  (${DONE[reaction] ?? oneLine(reaction)})`,
      ];
    }),
    ...(all > places.length ? ["", footer(places.length, all)] : []),
  ];
}

/** Names are read from the transcripts, each once. */
export async function sessionNamer({ history, env }: Pick<Input, "history" | "env">) {
  const readers = await history();
  const names = new Map<string, string>();
  return ({ host, session }: Pick<BrokenPlace, "host" | "session">): string => {
    const key = `${host}\n${session}`;
    const reader = [...readers.values()].find((one) => one.host === host);
    const known = names.get(key);
    if (known !== undefined || reader === undefined) return known ?? "";
    const file = reader.discover(env, { onFailure: () => undefined }).find(({ id }) => id === session);
    const name = file === undefined ? "" : nameOfFile(reader, file);
    names.set(key, name);
    return name;
  };
}
