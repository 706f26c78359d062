import { CATEGORIES, type Category, type Learning, type SeedConfig } from "../types.ts";

const STALE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface Aged {
  readonly category: Category;
  readonly learning: Learning;
  readonly days: number;
}

/** From 1 when a human just confirmed it down to 0 after 90 days. It decides rank and questions, never deletion. */
export function freshness(learning: Learning, now: number): number {
  return Math.min(1, Math.max(0, 1 - daysSince(learning, now) / STALE_DAYS));
}

/** What nobody confirmed for 90 days, oldest first. */
export function staleLearnings(config: SeedConfig, now: number): Aged[] {
  return CATEGORIES.flatMap((category) =>
    config.learned[category].map((learning) => ({
      category,
      learning,
      days: Math.floor(daysSince(learning, now)),
    })),
  )
    .filter(({ days }) => days >= STALE_DAYS)
    .sort((a, b) => b.days - a.days);
}

function daysSince(learning: Learning, now: number): number {
  return (now - Date.parse(learning.confirmedAt ?? learning.extractedAt)) / DAY_MS;
}
