import { fts5 } from "./baseline.ts";
import type { Engine } from "./metrics.ts";
import { ours } from "./ours.ts";

export const WORDS_ALONE = "words alone";
export const OURS = "ours";

/** Compared in every run. */
export const ENGINES: Readonly<Record<string, Engine>> = {
  "FTS5, whole texts": fts5(false),
  "FTS5, chunks of 1,500": fts5(true),
  [WORDS_ALONE]: ours({ isWithoutMeaning: true }),
  [OURS]: ours(),
};
