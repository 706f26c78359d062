import type { FollowedRule } from "../../api/rules.ts";

/** Pure, so that it can be tested without a browser. */

/** "8%"; never rounded to 0% or 100%. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return "under 1%";
  if (share < 1 && share > 0.99) return "99%";
  return `${Math.round(100 * share)}%`;
}

/** The smallest difference worth mentioning. */
const NOTICEABLE = 0.05;

/** How often it was broken in the last seven days, and whether that is better than in the seven days before. */
export function trendOf({
  lastWeek,
  weekBefore,
}: Pick<FollowedRule, "lastWeek" | "weekBefore">): readonly [words: string, tone?: "better" | "worse"] {
  if (lastWeek === undefined)
    return [weekBefore === undefined ? "no occasion" : `no occasion, before ${percent(weekBefore)}`];
  if (weekBefore === undefined) return [percent(lastWeek)];
  const words = `${percent(lastWeek)}, before ${percent(weekBefore)}`;
  const change = lastWeek - weekBefore;
  if (Math.abs(change) < NOTICEABLE) return [words];
  return [words, change < 0 ? "better" : "worse"];
}
