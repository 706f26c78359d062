import type { Range, Report, Title } from "../../../moments/ports/history.ts";

/** Names of unknown types come from the file: a damaged file must not fill the memory with them. */
const MAX_TYPES = 100;
const MAX_PLACES = 20;

/** Counts kept while a history is read. */
export interface Tally {
  line(): void;
  used(): void;
  passed(type: string): void;
  unknown(type: string): void;
  damaged(offset: number): void;
  oversized(offset: number): void;
  notUtf8(): void;
  pending(bytes: number): void;
  began(from: number): void;
  resumeAt(offset: number): void;
  /** Resumes at an offset inside a line that is too long. */
  resumeWithin(offset: number): void;
  cut(): void;
  /** The caller knows all titles so far, so the last call counts. */
  titled(title: Title): void;
  branches(ranges: readonly Range[]): void;
  failed(reason: string): void;
  report(): Report;
}

export function createTally(): Tally {
  const now = { lines: 0, used: 0, oversized: 0, damaged: 0, notUtf8: 0, pending: 0, from: 0, resumeAt: 0 };
  const passed = new Map<string, number>();
  const unknown = new Map<string, number>();
  const places: number[] = [];
  let title: Title | undefined;
  let otherBranches: readonly Range[] = [];
  let failure: string | undefined;
  let isWithin = false;
  let isCut = false;
  const place = (offset: number) => {
    if (places.length < MAX_PLACES) places.push(offset);
  };
  return {
    line: () => void now.lines++,
    used: () => void now.used++,
    passed: (type) => count(passed, type),
    unknown: (type) => count(unknown, type),
    damaged(offset) {
      now.damaged++;
      place(offset);
    },
    oversized(offset) {
      now.oversized++;
      place(offset);
    },
    notUtf8: () => void now.notUtf8++,
    pending(bytes) {
      now.pending = bytes;
    },
    began(from) {
      now.from = from;
      now.resumeAt = from;
    },
    resumeAt(offset) {
      now.resumeAt = offset;
    },
    resumeWithin(offset) {
      now.resumeAt = offset;
      isWithin = true;
    },
    cut() {
      isCut = true;
    },
    titled(given) {
      if (given.text.trim() !== "") title = given;
    },
    branches(ranges) {
      otherBranches = ranges;
    },
    failed(reason) {
      failure = reason;
    },
    report: () => ({
      ...now,
      passed: Object.fromEntries(passed),
      unknown: Object.fromEntries(unknown),
      places: [...places],
      otherBranches,
      ...(isWithin && { isWithin }),
      ...(isCut && { isCut }),
      ...(title === undefined ? {} : { title }),
      ...(failure === undefined ? {} : { failure }),
    }),
  };
}

/** The newer title, unless the user gave the older one. */
export function preferred(before: Title | undefined, next: Title | undefined): Title | undefined {
  if (next === undefined || next.text.trim() === "") return before;
  return before?.by === "person" && next.by === "host" ? before : next;
}

function count(counts: Map<string, number>, type: string): void {
  const known = counts.has(type) || counts.size < MAX_TYPES;
  const key = known ? type.slice(0, 80) : "(more)";
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
