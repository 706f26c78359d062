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

const SHORT = v.pipe(text(2_000), v.nonEmpty("must not be empty"));

const WHERE = {
  /** A source, or `source/key` of an item. */
  what: SHORT,
  in: v.picklist(["session", "project", "everywhere"], "must be session, project or everywhere"),
  host: v.optional(SHORT),
  session: v.optional(SHORT),
  project: v.optional(SHORT),
};

export const MUTE_BODY = v.strictObject({ ...WHERE, title: v.optional(text(300)) });
export const UNMUTE_BODY = v.strictObject(WHERE);
