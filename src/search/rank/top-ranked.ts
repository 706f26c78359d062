/** Keeps the best of many: most are rejected by one comparison, and few are ever sorted. */
export class TopRanked<T extends { readonly strength: number; readonly owner: number }> {
  private readonly limit: number;
  private readonly isNewestFirst: boolean;
  private kept: T[] = [];
  private least = Number.NEGATIVE_INFINITY;

  constructor(limit: number, isNewestFirst: boolean) {
    this.limit = limit;
    this.isNewestFirst = isNewestFirst;
  }

  /** Whether one of this strength may be among the best. Asked first: most are not, and need not be made. */
  takes(strength: number): boolean {
    return strength >= this.least;
  }

  add(one: T): void {
    this.kept.push(one);
    if (this.kept.length >= 2 * this.limit + 64) this.cut();
  }

  /** Best first. */
  sorted(): T[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    const tie = this.isNewestFirst ? -1 : 1;
    this.kept.sort((a, b) => b.strength - a.strength || tie * (a.owner - b.owner));
    this.kept.length = Math.min(this.kept.length, this.limit);
    if (this.kept.length === this.limit) this.least = this.kept.at(-1)?.strength ?? this.least;
  }
}
