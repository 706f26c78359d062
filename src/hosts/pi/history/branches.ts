import type { Range } from "../../../moments/ports/history.ts";
import { parseJson, textAt } from "../../shared/history/fields.ts";
import { readOverview } from "../../shared/history/lines.ts";

/** Consecutive lines, each the child of the one before it. */
interface Run {
  readonly from: number;
  to: number;
  /** The entry that the run's first line continues. */
  readonly parent: string | undefined;
}

/**
 * Finds the abandoned branches of a session file. The file is a tree that grows at its end. The last entry is the
 * current one, and the path from it back to the root is the current branch. Almost every file is a single run, so at
 * first only the run's length is recorded; only a file with several runs is read a second time, to find where it
 * branched.
 */
export function otherBranches(path: string): Range[] {
  const runs = runsIn(path);
  if (runs.length < 2) return [];
  const places = placesOf(path, new Set(runs.flatMap(({ parent }) => parent ?? [])));
  const others: Range[] = [];
  let current = runs.length - 1;
  let end = runs[current]?.to ?? 0;
  // Backwards, from each run of the current branch to the position in an older run that it continues.
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at];
    if (run === undefined) continue;
    if (at !== current) {
      others.push({ from: run.from, to: run.to });
      continue;
    }
    if (end < run.to) others.push({ from: end, to: run.to });
    if (run.parent === undefined) {
      current = -1; // the branch begins here: everything before it belongs to others
      continue;
    }
    const place = places.get(run.parent);
    // The parent is missing because its line is damaged: most likely it is the line just before.
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

/** Long messages have both ids at their beginning; other entries are short and have them at their end. */
const BEGINNING = 200;
const AT_BEGINNING = /^\{"type":"\w+","id":"([^"\\]*)","parentId":(?:null|"([^"\\]*)"),/;

function linkIn(bytes: Buffer): Link | undefined {
  const quick = AT_BEGINNING.exec(bytes.toString("utf8", 0, BEGINNING));
  if (quick?.[1] !== undefined) return { id: quick[1], parent: quick[2] };
  const line = bytes.toString("utf8");
  // A file of the first version has no parents at all, so it need not be parsed here.
  const entry = line.includes('"parentId"') ? parseJson(line) : undefined;
  const id = entry === undefined || !("parentId" in entry) ? undefined : textAt(entry, "id");
  return entry === undefined || id === undefined ? undefined : { id, parent: textAt(entry, "parentId") };
}
