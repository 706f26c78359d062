import * as v from "valibot";
import { text } from "../requests.ts";

const path = text(4096);

/** A relative path is in the project of the session. */
export const fileQuery = v.strictObject({ path, session: v.optional(text(400)) });

export const saveBody = v.strictObject({
  path,
  text: v.pipe(
    v.string("must be a text"),
    v.check((one) => one.isWellFormed(), "has half a character (a lone surrogate), which no file can hold"),
  ),
  checksum: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be a SHA-256 checksum"))),
});

export const folderQuery = v.strictObject({ folder: path });

/** A commit by its id. Names of branches may begin like options, and nobody needs them here. */
export const diffQuery = v.strictObject({
  path,
  session: v.optional(text(400)),
  against: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(HEAD|staged|[0-9a-f]{4,64})$/, "must be HEAD, staged or the id of a commit"),
    ),
    "HEAD",
  ),
});
