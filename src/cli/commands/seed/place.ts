import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import { findProject } from "../../../moments/project.ts";
import { type UsableSeed, usable } from "../../../sources/seed/change.ts";
import type { CommitResult } from "../../../sources/seed/history.ts";
import { readSeed } from "../../../sources/seed/load.ts";
import { resolveSeedPath } from "../../../sources/seed/path.ts";
import { tagFor } from "../../../sources/seed/scope.ts";
import {
  CATEGORIES,
  LEARNING_TYPES,
  type Learning,
  type LearningType,
  type SeedConfig,
} from "../../../sources/seed/types.ts";
import type { Input } from "../../command.ts";

/** A person waits, and others may be deciding too. */
export const LOCK = { lockWaitMs: 60_000 };

export function pathOf(input: Input): string {
  return resolveSeedPath(undefined, input.env);
}

export function seedOf(input: Input): UsableSeed {
  return usable(readSeed(pathOf(input)));
}

export function iso(input: Input): string {
  return new Date(input.now()).toISOString();
}

/** The tag of the project that the command is run in, if the learning is to hold only there. */
export function tagsOf(input: Input): string[] {
  return input.values["project"] === true ? [tagFor(findProject(input.cwd), input.env)] : [];
}

export function allLearnings(config: SeedConfig): Learning[] {
  return CATEGORIES.flatMap((category) => config.learned[category]);
}

export function typeOf(word: string | undefined): LearningType {
  const meant = word?.replace(/-/g, "_").replace("selfKnowledge", "self_knowledge");
  const found = LEARNING_TYPES.find((type) => type === meant);
  if (found !== undefined) return found;
  const near = word === undefined ? undefined : nearest(word, LEARNING_TYPES);
  throw new ContinuoError("usage", word === undefined ? "which type?" : `there is no type "${word}"`, {
    hint: near === undefined ? `one of ${LEARNING_TYPES.join(", ")}` : `did you mean "${near}"?`,
  });
}

/** A change that could not be committed is still a change; the reason is said. */
export function withCommit(lines: readonly string[], result: CommitResult | undefined): string {
  const note =
    result?.because === undefined ? [] : [`(not committed: ${result.because}; the next commit will hold it)`];
  return [...lines, ...note].join("\n");
}
