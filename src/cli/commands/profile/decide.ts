import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/text.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { CommitKind, CommitResult } from "../../../sources/profile/file/history.ts";
import { byPrefix } from "../../../sources/profile/file/ids.ts";
import { isCatchphraseSet, UNSET_AI_NAME, UNSET_NAME } from "../../../sources/profile/file/schema.ts";
import type { EvidenceRecord, Step } from "../../../sources/profile/file/sidecar.ts";
import { type Applied, applyDecisions, type Decision } from "../../../sources/profile/learning/apply.ts";
import { type Decided, findLearning, supersede } from "../../../sources/profile/learning/decide.ts";
import { type Place, type Profile, readProfile } from "../../../sources/profile/learning/profile.ts";
import { tagFor } from "../../../sources/profile/learning/relevance.ts";
import { tagsFor } from "../../../sources/profile/learning/suggestions.ts";
import { resolveSeedPath } from "../../../sources/profile/settings.ts";
import { visible } from "../../../sources/profile/text.ts";
import {
  CATEGORIES,
  type IdentityLayer,
  LEARNING_TYPES,
  type Learning,
  type LearningType,
  type SeedConfig,
} from "../../../sources/profile/types.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";

/** Long, because a person waits and another process may be deciding too. */
export const LOCK = { lockWaitMs: 60_000 };

export function pathOf(input: Input): string {
  return resolveSeedPath(undefined, input.env);
}

export function placeOf(input: Input): Place {
  return { seed: pathOf(input), home: findHome(input.env).root };
}

export function profileOf(input: Input): Profile {
  return readProfile(placeOf(input));
}

export function iso(input: Input): string {
  return new Date(input.now()).toISOString();
}

/** With `--project`: the tag of the current project. */
export function tagsOf(input: Input): string[] {
  return input.values["project"] === true ? [tagFor(findProject(input.cwd), input.env)] : [];
}

/** The same for a proposal, which may be meant for the project that it was said in. */
export function tagsForProposal(input: Input, heard: EvidenceRecord | undefined): string[] {
  const own = tagsOf(input);
  return own.length > 0 ? own : tagsFor(undefined, heard);
}

export function allLearnings(config: SeedConfig): Learning[] {
  return CATEGORIES.flatMap((category) => config.learned[category]);
}

export function typeOf(word: string | undefined): LearningType {
  const meant = word?.replace(/-/g, "_").replace("selfKnowledge", "self_knowledge");
  const found = LEARNING_TYPES.find((type) => type === meant);
  if (found !== undefined) return found;
  const near = word === undefined ? undefined : nearest(word, LEARNING_TYPES);
  throw new ContinuoError("usage", word === undefined ? "TYPE is missing" : `unknown type "${word}"`, {
    hint: near === undefined ? `one of ${LEARNING_TYPES.join(", ")}` : `did you mean "${near}"?`,
  });
}

/** What the user set. The format's defaults mean that they set nothing. */
export function identityText(identity: IdentityLayer): string {
  const { responseStyle, timezone, locale } = identity.preferences;
  return [
    identity.principalName === UNSET_NAME ? "" : `User: ${visible(identity.principalName)}`,
    identity.aiName === UNSET_AI_NAME ? "" : `Assistant: ${visible(identity.aiName)}`,
    isCatchphraseSet(identity) ? `Greeting: "${visible(identity.catchphrase)}"` : "",
    `Style: ${responseStyle}, time zone: ${visible(timezone)}, locale: ${visible(locale)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** Adds the reason if a change could not be committed. The change itself is saved. */
export function withCommit(lines: readonly string[], result: CommitResult | undefined): string {
  const note =
    result?.because === undefined
      ? []
      : [`(not committed: ${result.because}; the next commit will include it)`];
  return [...lines, ...note].join("\n");
}

/** Applies all decisions with one write, one commit and one undo step. */
export function decideAll(input: Input, kind: CommitKind, decide: Decision): Promise<Applied> {
  return applyDecisions(placeOf(input), kind, decide, { now: input.now(), ...LOCK });
}

/** Removes the learning that the new one replaces. */
export function replaceBy(config: SeedConfig, typed: string, by: string): Decided {
  const others = allLearnings(config).filter((one) => one.id !== by);
  const { id } = byPrefix(others, typed, "learning");
  const found = findLearning(config, id);
  if (found === undefined) throw new ContinuoError("no-such-id", `unknown learning "${id}"`);
  return supersede(config, found.category, found.learning, by);
}

export function checkContent(text: string): string {
  const content = visible(text);
  if (content !== "") return content;
  throw new ContinuoError("usage", "the text is empty", { hint: "describe in a few words what was learned" });
}

export function decidedOutcome(steps: readonly Step[], result: CommitResult | undefined): Outcome {
  const lines = steps.length === 0 ? ["Nothing to decide."] : [...steps.map(describeStep), UNDO];
  return { data: { steps, committed: result?.committed ?? false }, text: withCommit(lines, result) };
}

const UNDO = "To undo: continuo seed undo";

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
