import type { WeekNumbers, Weeks } from "../../api/overview.ts";
import { number } from "../core/format.ts";

/** Pure, so that it can be tested without a browser. */

interface WeekTrend {
  readonly words: string;
  readonly tone?: "better" | "worse";
}

/**
 * Compared with the seven days before. Only figures that should be low are better or worse; more rules or tokens are
 * neither.
 */
export function trendOfWeek(
  { lastWeek, weekBefore }: Weeks,
  name: keyof WeekNumbers,
  isGoodDown: boolean,
): WeekTrend {
  if (weekBefore === undefined) return { words: "" };
  const [now, before] = [lastWeek[name], weekBefore[name]];
  if (now === before) return { words: "as in the week before" };
  const words = `${now > before ? "up" : "down"} from ${number(before)}`;
  return isGoodDown ? { words, tone: now < before ? "better" : "worse" } : { words };
}
