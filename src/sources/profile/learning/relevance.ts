import type { Project } from "../../../moments/types.ts";
import { keyWords, overlap } from "../text.ts";
import { CATEGORIES, type Category, type Learning, type SeedConfig } from "../types.ts";

/** Which learnings apply, by project, by age, by the prompt, and by similarity to another text. */

/** Projects are stored as tags, because every program that writes seeds keeps tags. */
export const TAG = "project:";

/** The project's id with the user's folder as `~`, so that a seed can be moved to another machine. */
export function projectTag(id: string, userHome: string | undefined): string {
  const isInside = userHome !== undefined && userHome !== "" && id.startsWith(`${userHome}/`);
  return TAG + (isInside ? `~${id.slice(userHome.length)}` : id);
}

export function tagFor(project: Pick<Project, "id">, env: NodeJS.ProcessEnv): string {
  return projectTag(project.id, env["HOME"] || env["USERPROFILE"]);
}

/** Applies everywhere, in this project, or only in other projects. */
export function scopeOf(learning: Learning, tags: ReadonlySet<string>): "everywhere" | "here" | "elsewhere" {
  if (learning.tags.some((one) => tags.has(one))) return "here";
  return learning.tags.some((one) => one.startsWith(TAG)) ? "elsewhere" : "everywhere";
}

const STALE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface StaleLearning {
  readonly category: Category;
  readonly learning: Learning;
  readonly days: number;
}

/** From 1, just confirmed by the user, down to 0 after 90 days. Used for ranking and reviews, never for deletion. */
export function freshness(learning: Learning, now: number): number {
  return Math.min(1, Math.max(0, 1 - daysSince(learning, now) / STALE_DAYS));
}

/** Learnings that were not confirmed for 90 days, oldest first. */
export function staleLearnings(config: SeedConfig, now: number): StaleLearning[] {
  return CATEGORIES.flatMap((category) =>
    config.learned[category].map((learning) => ({
      category,
      learning,
      days: Math.floor(daysSince(learning, now)),
    })),
  )
    .filter(({ days }) => days >= STALE_DAYS)
    .sort((a, b) => b.days - a.days);
}

function daysSince(learning: Learning, now: number): number {
  return (now - Date.parse(learning.confirmedAt ?? learning.extractedAt)) / DAY_MS;
}

export interface RankedLearning {
  readonly category: Category;
  readonly learning: Learning;
  readonly score: number;
  readonly isHere: boolean;
  /** How many words it shares with the prompt. */
  readonly shared: number;
  readonly namesProject: boolean;
}

export interface RankQuery {
  /** The tags of this project and its other clones. */
  readonly projectTags: ReadonlySet<string>;
  readonly projectLabel: string;
  readonly prompt?: string;
  readonly now: number;
}

/**
 * The learnings that apply here, best first: those of this project, then those that share words with the prompt or the
 * project's name, then the most recently confirmed. Learnings that the user never confirmed, or that are about another
 * project, are left out.
 */
export function rankLearnings(config: SeedConfig, query: RankQuery): RankedLearning[] {
  const promptWords = keyWords(query.prompt ?? "");
  const projectWords = keyWords(query.projectLabel);
  const ranked: RankedLearning[] = [];
  for (const category of CATEGORIES) {
    for (const learning of config.learned[category]) {
      const scope = scopeOf(learning, query.projectTags);
      if (!learning.confirmed || scope === "elsewhere") continue;
      const lower = learning.content.toLowerCase();
      const shared = overlap(promptWords, lower);
      const namesProject = overlap(projectWords, lower) > 0;
      const isHere = scope === "here";
      const score =
        (isHere ? 4 : 0) + Math.min(shared, 4) + (namesProject ? 1 : 0) + freshness(learning, query.now);
      ranked.push({ category, learning, score, isHere, shared, namesProject });
    }
  }
  return ranked.sort((a, b) => b.score - a.score || (a.learning.id < b.learning.id ? -1 : 1));
}

/** How many words a prompt must share with a learning to bring it into a running session. */
const MIN_SHARED_WORDS = 2;

export function learningsForPrompt(
  config: SeedConfig,
  query: RankQuery & { readonly prompt: string },
): RankedLearning[] {
  return rankLearnings(config, query).filter(({ shared }) => shared >= MIN_SHARED_WORDS);
}

/** Why a learning was chosen. */
export function reasonFor({ isHere, shared, namesProject }: RankedLearning): string {
  const reasons = [
    ...(isHere ? ["about this project"] : []),
    ...(shared > 0 ? [`shares ${shared} word${shared === 1 ? "" : "s"} with the prompt`] : []),
    ...(namesProject ? ["names the project"] : []),
  ];
  return reasons.length === 0 ? "confirmed recently" : reasons.join(", ");
}

/** From this share of common words on, two texts may be about the same thing and contradict each other. */
const SIMILAR = 0.5;
/** The same, but by meaning. Chosen on the development half of `bench/tombstones`. */
const NEAR = 0.6;

export type Nearness = (a: string, b: string) => number;

/**
 * The learning most similar to a text, if it is similar enough: by its words, else by its meaning. The user then
 * decides whether one replaces the other.
 */
export function similarLearning(
  config: SeedConfig,
  content: string,
  nearness: Nearness = () => 0,
): Learning | undefined {
  const words = keyWords(content);
  const all = CATEGORIES.flatMap((category) => config.learned[category]);
  return (
    most(all, SIMILAR, (one) => shareOfCommonWords(words, keyWords(one.content))) ??
    most(all, NEAR, (one) => nearness(content, one.content))
  );
}

function most(
  all: readonly Learning[],
  atLeast: number,
  scoreOf: (one: Learning) => number,
): Learning | undefined {
  let best: { learning: Learning; score: number } | undefined;
  for (const learning of all) {
    const score = scoreOf(learning);
    if (score >= atLeast && score > (best?.score ?? 0)) best = { learning, score };
  }
  return best?.learning;
}

function shareOfCommonWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return both / (a.size + b.size - both);
}
