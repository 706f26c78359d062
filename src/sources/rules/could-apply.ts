import { isAbsolute } from "node:path";
import type { Digest, RuleRecord } from "./digest.ts";
import { bucketsOf, FOLDS_CASE } from "./file-matching.ts";
import type { RulesMemo } from "./memo.ts";
import { foldedIn, foldKeyword } from "./words.ts";

/** Which rules a caller asks for. */
export type Wanted =
  | { readonly kind: "guards" }
  | {
      readonly kind: "moment";
      /** A session starts, is resumed or was compacted: every file is looked at. */
      readonly isBeginning: boolean;
      readonly prompt?: string;
      /** Files of this moment, and all files of the session. */
      readonly touched: readonly string[];
      readonly workingSet: readonly string[];
      readonly memo: RulesMemo;
    };

/** Every rule that applies, or could, and few others: whether one does is not decided here. */
export function couldApply(digest: Digest, wanted: Wanted): Iterable<RuleRecord> {
  const { head } = digest;
  if (wanted.kind === "guards") return digest.at<RuleRecord[]>(head.guarded);
  const { memo, prompt } = wanted;
  const chosen = new Set<number>();
  const take = ([, ...at]: readonly [string, ...number[]]) => {
    for (const one of at) chosen.add(one);
  };

  const said = new Set(memo.keywords.map(foldKeyword));
  if (prompt !== undefined && head.keywords.length > 0)
    for (const word of foldedIn(
      prompt,
      head.keywords.map(([folded]) => folded),
    ))
      said.add(word);
  if (said.size > 0) for (const one of head.keywords) if (said.has(one[0])) take(one);

  for (const one of head.contents) if (typeof memo.files[one[0]] === "string") chosen.add(one[1]);
  for (const path of head.tested === memo.tested ? wanted.touched : wanted.workingSet) {
    if (isAbsolute(path)) continue;
    for (const bucket of bucketsOf(path))
      for (const one of head.buckets[bucket] ?? []) if (FOLDS_CASE || path.startsWith(one[0])) take(one);
  }
  return [
    ...digest.at<RuleRecord[]>(head.evaluated),
    ...[...chosen].map((at) => digest.from<RuleRecord>(at)),
  ];
}
