import { visible } from "../text.ts";
import { CATEGORIES, type LearningType, TYPE_OF } from "../types.ts";
import { type Applied, type ApplyOptions, applyDecisions } from "./apply.ts";
import { findLearning, forget } from "./decide.ts";
import { evidenceById } from "./decision-log.ts";
import { projectNameOf } from "./inbox.ts";
import type { Place, Profile } from "./profile.ts";
import { TAG } from "./relevance.ts";

/** A learning for people: one line, nothing hidden. */
export interface ShownLearning {
  readonly id: string;
  readonly text: string;
  readonly kind: LearningType;
  /** The projects that it holds for; none if it holds everywhere. */
  readonly projects: readonly string[];
  readonly quote: string;
  /** ISO time of its last confirmation. */
  readonly at: string;
}

/** Most recently confirmed first. */
export function shownLearnings(profile: Profile): ShownLearning[] {
  const heard = evidenceById(profile.records());
  return CATEGORIES.flatMap((category) =>
    profile.config.learned[category].map((one) => ({
      id: one.id,
      text: visible(one.content),
      kind: TYPE_OF[category],
      projects: one.tags.filter((tag) => tag.startsWith(TAG)).map((tag) => nameOf(tag, heard.get(one.id))),
      quote: visible(heard.get(one.id)?.quote ?? ""),
      at: one.confirmedAt ?? one.extractedAt,
    })),
  ).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

function nameOf(tag: string, heard: Parameters<typeof projectNameOf>[0]): string {
  return (heard?.project === tag ? projectNameOf(heard) : undefined) ?? visible(tag.slice(TAG.length));
}

/** Removes a learning, so that it is not suggested again either. Nothing happens if it is not there any more. */
export function removeLearning(place: Place, id: string, options: ApplyOptions): Promise<Applied> {
  return applyDecisions(
    place,
    "Cleanup",
    (config) => {
      const found = findLearning(config, id);
      return found === undefined ? [] : [forget(config, found.category, found.learning)];
    },
    options,
  );
}
