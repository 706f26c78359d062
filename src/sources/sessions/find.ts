import type { Database } from "../../store/sqlite/types.ts";
import type { FindOptions, Found } from "./library.ts";
import { rowsOf, type SessionRow, sessionOf } from "./rows.ts";

const MOST_CANDIDATES = 8;
/** Fewer signs of an id would be guessing. */
const LEAST_OF_AN_ID = 6;

/** Each of these that finds exactly one has found it; the first that finds several is ambiguous. */
type Step = (row: SessionRow, wanted: string) => boolean;

const STEPS: readonly Step[] = [
  ({ sid }, wanted) => sid.toLowerCase() === wanted,
  ({ sid }, wanted) => wanted.length >= LEAST_OF_AN_ID && sid.toLowerCase().startsWith(wanted),
  ({ name }, wanted) => name.toLowerCase() === wanted,
  ({ name }, wanted) => plain(name) === plain(wanted),
  ({ name }, wanted) => plain(wanted) !== "" && plain(name).includes(plain(wanted)),
  ({ name }, wanted) => hasWords(name, wanted),
];

/** An id finds children too; a name only finds what people name. */
export function findSession(db: Database, idOrName: string, { host, project }: FindOptions = {}): Found {
  const wanted = idOrName.trim().toLowerCase();
  const all = rowsOf(db, { children: true, ...(host === undefined ? {} : { host }) });
  if (wanted === "") return { kind: "unknown", nearest: near(all, "") };
  const isHere = (row: SessionRow): boolean => project !== undefined && row.project === project;
  for (const [at, step] of STEPS.entries()) {
    const matching = all.filter((row) => (at < 2 || row.is_child === 0) && step(row, wanted));
    const here = matching.filter(isHere);
    const chosen = here.length > 0 ? here : matching;
    const [one] = chosen;
    if (one !== undefined && chosen.length === 1) return { kind: "found", session: sessionOf(one) };
    if (chosen.length > 1)
      return { kind: "ambiguous", candidates: chosen.slice(0, MOST_CANDIDATES).map(sessionOf) };
  }
  return { kind: "unknown", nearest: near(all, wanted) };
}

/** As it is typed: `confirm-button-refactor` is "Confirm button refactor". */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function hasWords(name: string, wanted: string): boolean {
  const words = plain(wanted)
    .split(" ")
    .filter((word) => word !== "");
  const has = plain(name).split(" ");
  return words.length > 0 && words.every((word) => has.some((one) => one.startsWith(word)));
}

/** Those that share most with what was asked for: two neighbouring letters at a time. */
function near(rows: readonly SessionRow[], wanted: string): ReturnType<typeof sessionOf>[] {
  const pairs = pairsOf(plain(wanted));
  return rows
    .filter(({ is_child }) => is_child === 0)
    .map((row) => ({ row, share: shared(pairs, pairsOf(plain(row.name))) }))
    .sort((a, b) => b.share - a.share || b.row.modified - a.row.modified)
    .slice(0, 3)
    .map(({ row }) => sessionOf(row));
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const pair of a) if (b.has(pair)) both++;
  return a.size + b.size === 0 ? 0 : (2 * both) / (a.size + b.size);
}
