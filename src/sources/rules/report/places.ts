import { eachEntry } from "../../../moments/state/ledger-files.ts";
import type { Home } from "../../../store/home.ts";
import { redact } from "../../../store/redact.ts";

/** A place at which a rule was broken, as the ledger has it. Whoever shows its texts escapes them. */
export interface BrokenPlace {
  readonly at: number;
  readonly host: string;
  readonly session: string;
  readonly reaction: string;
  readonly path?: string;
  readonly line?: number;
  readonly text: string;
  /** Further places of the same check in the same call. */
  readonly more?: number;
}

export interface PlacesQuery {
  readonly home: Home;
  readonly since: number;
  /** The rule's key, and the ids of its project; absent for all projects. */
  readonly rule: string;
  readonly projects?: readonly string[];
  readonly most: number;
}

/** The latest places at which a rule was broken, the newest first, and how many entries there are. */
export async function latestPlaces({ home, since, rule, projects, most }: PlacesQuery): Promise<{
  readonly places: readonly BrokenPlace[];
  readonly all: number;
}> {
  const places: BrokenPlace[] = [];
  let all = 0;
  await eachEntry(home, { since, having: ['"broken"'] }, (line, at) => {
    if (line.kind !== "broken" || line.rule !== rule) return;
    if (projects !== undefined && !projects.includes(line.project)) return;
    all += 1;
    const { host, session, reaction, path, line: number, text, more } = line;
    places.push({
      at,
      host: String(host),
      session: String(session),
      reaction: String(reaction),
      ...(typeof path === "string" ? { path } : {}),
      ...(typeof number === "number" ? { line: number } : {}),
      text: redact(String(text)),
      ...(typeof more === "number" && more > 0 ? { more } : {}),
    });
    if (places.length > most) places.shift();
  });
  return { places: places.reverse(), all };
}
