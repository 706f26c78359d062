import type { LedgerLine } from "../../../moments/state/ledger.ts";
import { eachEntry } from "../../../moments/state/ledger-files.ts";
import { receivedOf } from "../../../moments/state/received.ts";
import type { Home } from "../../../store/home.ts";
import { redact } from "../../../store/redact.ts";

/** A place at which a rule was broken, from the ledger. The code that shows its texts escapes them. */
export interface BrokenPlace {
  readonly at: number;
  readonly host: string;
  readonly session: string;
  readonly reaction: string;
  /** Whether the agent was reminded. */
  readonly isTold: boolean;
  readonly path?: string;
  readonly line?: number;
  readonly text: string;
  /** Further places of the same check in the same call. */
  readonly more?: number;
}

interface PlacesQuery {
  readonly home: Home;
  readonly since: number;
  /** The rule's key, and the ids of its project; absent for all projects. */
  readonly rule: string;
  readonly projects?: readonly string[];
  readonly most: number;
}

/** The latest places at which a rule was broken, newest first, and how many entries there are. */
export async function latestPlaces({ home, since, rule, projects, most }: PlacesQuery): Promise<{
  readonly places: readonly BrokenPlace[];
  readonly all: number;
}> {
  const found: Extract<LedgerLine, { readonly kind: "broken" }>[] = [];
  const told: LedgerLine[] = [];
  let all = 0;
  await eachEntry(home, { since, having: ['"broken"', '"broken/', '"looked"'] }, (line) => {
    if (line.kind === "delivered" || line.kind === "looked") told.push(line);
    if (line.kind !== "broken" || line.rule !== rule) return;
    if (projects !== undefined && !projects.includes(line.project)) return;
    all += 1;
    told.push(line);
    found.push(line);
    if (found.length > most) found.shift();
  });
  const { isTold } = receivedOf(told);
  const places = found.map((entry): BrokenPlace => {
    const { host, session, reaction, path, line, text, more } = entry;
    return {
      at: Date.parse(entry.at),
      host: String(host),
      session: String(session),
      reaction: String(reaction),
      isTold: isTold(entry),
      ...(typeof path === "string" ? { path } : {}),
      ...(typeof line === "number" ? { line } : {}),
      text: redact(String(text)),
      ...(typeof more === "number" && more > 0 ? { more } : {}),
    };
  });
  return { places: places.reverse(), all };
}
