import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { flag, optional, text, texts } from "../../../moments/actions/fields.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { type Block, exact } from "../../../moments/ports/view.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { CommitKind, CommitResult } from "../file/history.ts";
import { byPrefix } from "../file/ids.ts";
import type { Step } from "../file/sidecar.ts";
import { type Applied, applyDecisions, type Decision } from "../learning/apply.ts";
import { type Decided, findLearning, supersede } from "../learning/decide.ts";
import { type Profile, readProfile } from "../learning/profile.ts";
import { tagFor } from "../learning/relevance.ts";
import { placeFor } from "../learning/suggestions.ts";
import { visible } from "../text.ts";
import { CATEGORIES, type Learning, type SeedConfig } from "../types.ts";

/** Shared by the actions that decide on suggestions and learnings. */

/** Long, because the user waits and another process may be deciding too. */
export const LOCK = { lockWaitMs: 60_000 };
/** Longer than any learning that a model should get. */
const MOST_CHARACTERS = 4_000;

export const IDS = texts("a suggestion or a learning; the first characters of its id are enough", {
  typed: "word",
  value: "ID",
  most: 100,
});
export const EXACT = optional(flag("the ids are whole, and no beginnings", { typed: "never" }));
export const HERE = optional(flag("only for the current project"));
export const SUPERSEDES = optional(
  text("replace this learning", { value: "ID", fallback: "replaces none", most: 100 }),
);

/** A text with visible content. Invisible characters are removed. */
export function words(about: string, said: Parameters<typeof text>[1] = {}) {
  return v.pipe(
    text(about, { most: MOST_CHARACTERS, canBeEmpty: true, ...said }),
    v.transform(visible),
    v.check((shown) => said.least === 0 || shown !== "", "must not be empty"),
  );
}

export function profileOf(place: Place): Profile {
  return readProfile(placeFor(place.home.root, place.env));
}

export function iso({ now }: Place): string {
  return new Date(now()).toISOString();
}

/** The tag of the current project, if the decision applies only to it. */
export function tagsOf(isHere: boolean | undefined, { cwd, env }: Place): string[] {
  return isHere === true ? [tagFor(findProject(cwd), env)] : [];
}

export function allLearnings(config: SeedConfig): Learning[] {
  return CATEGORIES.flatMap((category) => config.learned[category]);
}

/** Applies all decisions with one write, one commit and one undo step. */
export function decideAll(place: Place, kind: CommitKind, decide: Decision): Promise<Applied> {
  const { home, env, now } = place;
  return applyDecisions(placeFor(home.root, env), kind, decide, { now: now(), ...LOCK });
}

/** Removes the learning that the new one replaces. */
export function replaceBy(config: SeedConfig, typed: string, by: string): Decided {
  const others = allLearnings(config).filter((one) => one.id !== by);
  const { id } = byPrefix(others, typed, "learning");
  const found = findLearning(config, id);
  if (found === undefined) throw new ContinuoError("no-such-id", `unknown learning "${id}"`);
  return supersede(config, found.category, found.learning, by);
}

/** What all decisions have in common. */
export const DECISION = {
  effect: "decides",
  changes: "inbox",
  json: ({ steps, batch, result }: Applied) => ({ steps, batch, committed: result?.committed ?? false }),
  view({ steps, result }: Applied): readonly Block[] {
    if (steps.length === 0) return [exact("Nothing to decide."), ...commitBlocks(result)];
    return [...steps.map(describeStep).map(exact), { undo: "continuo seed undo" }, ...commitBlocks(result)];
  },
} as const;

/** The reason if a change could not be committed. The change itself is saved. */
export function commitBlocks(result: CommitResult | undefined): Block[] {
  if (result?.because === undefined) return [];
  return [exact(`(not committed: ${result.because}; the next commit will include it)`)];
}

export const DECLINED = { data: { steps: [], committed: false }, text: "Nothing was changed." };

function describeStep(step: Step): string {
  const { id, content } = step.do === "reject" || step.do === "allow" ? step.proposal : step.learning;
  return `${DONE[step.do]} ${id} "${visible(content)}"`;
}

const DONE: Readonly<Record<Step["do"], string>> = {
  accept: "Accepted",
  reject: "Rejected (will not be suggested again):",
  allow: "Allowed again",
  learn: "Learned",
  forget: "Removed",
  supersede: "Replaced",
  refresh: "Confirmed",
};
