import { fingerprint } from "../../../base/fingerprint.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import type { Breach } from "./breach.ts";
import { refOf } from "./check-set.ts";
import { type KnownPlace, MAX_PLACES } from "./memo.ts";

/** A breach, and how many further places of the same check it represents. */
export interface Place {
  readonly breach: Breach;
  readonly more: number;
}

export type Edited = Pick<Edit, "path" | "kind">;

/** See `KnownPlace`. */
const EDITS_BETWEEN = 3;

/** Breaches by check. The same line twice in a file counts as one place. */
export function byCheck(breaches: readonly Breach[]): Map<string, Place[]> {
  const groups = new Map<string, Map<string, Place>>();
  for (const breach of breaches) {
    const ref = refOf(breach.rule, breach.check);
    const group = groups.get(ref) ?? new Map<string, Place>();
    groups.set(ref, group);
    const same = group.get(breach.place);
    const more = (breach.more ?? 0) + (same === undefined ? 0 : same.more + 1);
    group.set(breach.place, { breach: same?.breach ?? breach, more });
  }
  return new Map([...groups].map(([ref, group]) => [ref, [...group.values()]]));
}

export function placesIn(found: readonly Place[]): number {
  return found.reduce((sum, { more }) => sum + 1 + more, 0);
}

/** The places that the model was told about in a session. */
export class KnownPlaces {
  readonly #before: ReadonlyMap<string, KnownPlace>;
  readonly #now: Map<string, KnownPlace>;
  readonly #edits: readonly Edited[];

  /** An edit of a file counts for those of its known places that it does not contain. */
  constructor(known: readonly KnownPlace[], edits: readonly Edited[], breaches: readonly Breach[]) {
    const files = new Set(edits.map(({ path }) => fingerprint(path)));
    const found = new Set(breaches.map(({ place }) => place));
    const age = (one: KnownPlace): KnownPlace => {
      const [place, file, since] = one;
      if (!files.has(file)) return one;
      return [place, file, found.has(place) ? 0 : Math.min(since + 1, EDITS_BETWEEN)];
    };
    this.#edits = edits;
    this.#before = new Map(known.map((one) => [one[0], one]));
    this.#now = new Map(known.map((one) => [one[0], age(one)]));
  }

  /**
   * Whether the model was told about this place. Commands, calls and answers have no place, because each is new. An
   * edit with a file's whole content repeats old lines, so only an edit of a part can show that a line was added again.
   */
  has({ breach }: Place): boolean {
    const known = this.#before.get(breach.place);
    if (breach.on !== "edits" || known === undefined) return false;
    const isPart = this.#edits.some(({ path, kind }) => path === breach.path && kind === "part");
    return !isPart || known[2] < EDITS_BETWEEN;
  }

  add({ breach: { on, place, path = "" } }: Place): void {
    if (on !== "edits") return;
    this.#now.delete(place); // moves it to the end, as the newest
    this.#now.set(place, [place, fingerprint(path), 0]);
  }

  /** Whether this is the first time, for messages that are shown once per session. */
  isFirst(what: string): boolean {
    const id = fingerprint(what);
    const isNew = !this.#now.has(id);
    if (isNew) this.#now.set(id, [id, "", 0]);
    return isNew;
  }

  toMemo(): readonly KnownPlace[] {
    return [...this.#now.values()].slice(-MAX_PLACES);
  }
}
