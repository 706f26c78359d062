export interface Ranked {
  readonly note: number;
  /** 0 to 1: the share of what a perfect match of all terms would score, so it can be compared across queries. */
  readonly score: number;
  /** Which passage matched best. */
  readonly passage: number;
}

/** Keeps the best of many: most are refused by one comparison, and only a few are ever sorted. */
export class Best {
  private readonly limit: number;
  private kept: Ranked[] = [];
  private least = -1;

  constructor(limit: number) {
    this.limit = limit;
  }

  offer(note: number, passage: number, score: number): void {
    if (score < this.least) return;
    this.kept.push({ note, passage, score });
    if (this.kept.length >= 2 * this.limit + 64) this.cut();
  }

  /** Best first; among equals the note that was there first. */
  take(): Ranked[] {
    this.cut();
    // Only now: a title that matches may lift a note above what the text alone can reach, and there too order counts.
    return this.kept.map((one) => ({ ...one, score: Math.min(1, one.score) }));
  }

  private cut(): void {
    this.kept.sort((a, b) => b.score - a.score || a.note - b.note);
    this.kept.length = Math.min(this.kept.length, this.limit);
    if (this.kept.length === this.limit) this.least = this.kept.at(-1)?.score ?? -1;
  }
}
