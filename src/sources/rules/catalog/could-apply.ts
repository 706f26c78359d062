import { isAbsolute } from "node:path";
import { bucketsOf, FOLDS_CASE } from "../matching/file-matching.ts";
import { foldedIn, foldKeyword } from "../matching/keywords.ts";
import type { RulesMemo } from "../memo.ts";
import type { Buckets, Contents, Digest, Keywords, RuleRecord } from "./digest.ts";

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
  const take = ([, ...rules]: readonly [string, ...number[]]) => {
    for (const rule of rules) chosen.add(rule);
  };

  if (prompt !== undefined || memo.keywords.length > 0) {
    const keywords = digest.at<Keywords>(head.keywords);
    const said = new Set(memo.keywords.map(foldKeyword));
    const words = keywords.map(([folded]) => folded);
    for (const word of prompt === undefined ? [] : foldedIn(prompt, words)) said.add(word);
    for (const one of keywords) if (said.has(one[0])) take(one);
  }
  if (Object.keys(memo.files).length > 0)
    for (const [content, rule] of digest.at<Contents>(head.contents))
      if (typeof memo.files[content] === "string") chosen.add(rule);
  const seen = head.tested === memo.tested ? wanted.touched : wanted.workingSet;
  const paths = seen.filter((path) => !isAbsolute(path));
  if (paths.length > 0) {
    const buckets = digest.at<Buckets>(head.buckets);
    for (const path of paths)
      for (const bucket of bucketsOf(path))
        for (const one of buckets[bucket] ?? []) if (FOLDS_CASE || path.startsWith(one[0])) take(one);
  }
  // What a session was given when its epoch began need not be given again.
  const isGiven = !wanted.isBeginning && memo.given === head.always;
  return [
    ...(isGiven ? [] : digest.at<RuleRecord[]>(head.alwaysOn)),
    ...digest.at<RuleRecord[]>(head.evaluated),
    ...[...chosen].map((rule) => digest.at<RuleRecord>(head.rules[rule] ?? [0, 0])),
  ];
}
