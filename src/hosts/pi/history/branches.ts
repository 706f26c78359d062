import type { Range } from "../../../moments/ports/history.ts";
import { parseJson, textAt } from "../../shared/history/fields.ts";
import { readOverview } from "../../shared/history/lines.ts";

/** Lines one after the other, each the child of the one before it. */
interface Run {
  readonly from: number;
  to: number;
  /** The entry that the first line of the run continues. */
  readonly parent: string | undefined;
}

/**
 * A session file is a tree that grows at its end. The last entry is where the session stands; only what lies on the way
 * from there back to the root is its story. Almost every file is one run, of which nothing has to be remembered but its
 * length: a second look for the places where it branched is taken only when there are any.
 */
export function otherBranches(path: string): Range[] {
  const runs = runsIn(path);
  if (runs.length < 2) return [];
  const places = placesOf(path, new Set(runs.flatMap(({ parent }) => parent ?? [])));
  const others: Range[] = [];
  let current = runs.length - 1;
  let end = runs[current]?.to ?? 0;
  // Backwards: from each run of the story to the place in an older run that it continues.
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at];
    if (run === undefined) continue;
    if (at !== current) {
      others.push({ from: run.from, to: run.to });
      continue;
    }
    if (end < run.to) others.push({ from: end, to: run.to });
    if (run.parent === undefined) {
      current = -1; // it begins here: everything before is another story
      continue;
    }
    const place = places.get(run.parent);
    // A line that is lost, being damaged, is most likely the one just before.
    current =
      place === undefined ? at - 1 : runs.findIndex(({ from, to }) => place.from >= from && place.from < to);
    end = place?.to ?? runs[current]?.to ?? 0;
  }
  return others.sort((a, b) => a.from - b.from);
}

function runsIn(path: string): Run[] {
  const runs: Run[] = [];
  let before: string | undefined;
  for (const { bytes, offset, end } of readOverview(path)) {
    const link = bytes === undefined ? undefined : linkIn(bytes);
    const run = runs.at(-1);
    if (link === undefined) continue; // the header, a file of the first version, or damaged
    if (run !== undefined && link.parent === before) run.to = end;
    else runs.push({ from: offset, to: end, parent: link.parent });
    before = link.id;
  }
  return runs;
}

function placesOf(path: string, wanted: ReadonlySet<string>): Map<string, Range> {
  const places = new Map<string, Range>();
  for (const { bytes, offset, end } of readOverview(path)) {
    const link = bytes === undefined ? undefined : linkIn(bytes);
    if (link !== undefined && wanted.has(link.id)) places.set(link.id, { from: offset, to: end });
  }
  return places;
}

interface Link {
  readonly id: string;
  readonly parent: string | undefined;
}

/** Messages have both at their beginning and may be long; other entries have them at their end and are short. */
const BEGINNING = 200;
const AT_BEGINNING = /^\{"type":"\w+","id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),/;

function linkIn(bytes: Buffer): Link | undefined {
  const quick = AT_BEGINNING.exec(bytes.toString("utf8", 0, BEGINNING));
  if (quick?.[1] !== undefined) return { id: quick[1], parent: quick[2] };
  const line = bytes.toString("utf8");
  // A file of the first version has none at all, and need not be parsed twice.
  const entry = line.includes('"parentId"') ? parseJson(line) : undefined;
  const id = entry === undefined || !("parentId" in entry) ? undefined : textAt(entry, "id");
  return entry === undefined || id === undefined ? undefined : { id, parent: textAt(entry, "parentId") };
}
