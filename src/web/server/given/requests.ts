import * as v from "valibot";
import { text, whole } from "../requests.ts";

export const TIMELINE_QUERY = v.strictObject({
  /** Entries before this one. */
  before: v.optional(whole(0, 10_000_000)),
  limit: v.optional(whole(1, 500)),
  /** What was known then: a time that `Date` reads, or milliseconds since 1970. */
  at: v.optional(text(40)),
});

export const DAYS_QUERY = v.strictObject({ days: v.optional(whole(1, 366)) });
