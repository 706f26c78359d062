import { isCatchphraseSet, UNSET_AI_NAME, UNSET_NAME } from "./file/schema.ts";
import { visible } from "./text.ts";
import {
  CATEGORIES,
  type Category,
  type IdentityLayer,
  type LearnedLayer,
  type Learning,
  type Proposal,
  type StateLayer,
} from "./types.ts";

/** Pure: data in, text out. The user may approve what is shown here, so nothing in it may be invisible. */

const PER_CATEGORY = 5;
const MAX_PROPOSALS = 10;

export function formatIdentitySummary(identity: IdentityLayer): string {
  const { responseStyle, timezone, locale } = identity.preferences;
  const voice = visible(identity.voiceId);
  const user = identity.principalName === UNSET_NAME ? "" : ` (serving ${visible(identity.principalName)})`;
  const style = [`Style: ${responseStyle}`, `Timezone: ${visible(timezone)}`, `Locale: ${visible(locale)}`];
  return [
    `Identity: ${visible(identity.aiName)}${user}`,
    `Catchphrase: "${visible(identity.catchphrase)}"`,
    [...style, ...(voice === "" || voice === "default" ? [] : [`Voice: ${voice}`])].join(" | "),
  ].join("\n");
}

/** What the user set about themselves and their assistant, as sentences for the model; empty if they set nothing. */
export function identityInstructions(identity: IdentityLayer): string {
  const [user, assistant, phrase] = [identity.principalName, identity.aiName, identity.catchphrase].map(
    visible,
  );
  const { responseStyle: style } = identity.preferences;
  return [
    ...(user === UNSET_NAME ? [] : [`The user's name is ${user}.`]),
    ...(assistant === UNSET_AI_NAME ? [] : [`Your name is ${assistant}.`]),
    ...(isCatchphraseSet(identity) ? [`Begin a session with: "${phrase}"`] : []),
    ...(style === "adaptive" ? [] : [style === "concise" ? "Answer concisely." : "Answer in detail."]),
  ].join(" ");
}

function formatLearningCounts(learned: LearnedLayer): string {
  const { patterns, insights, selfKnowledge } = learned;
  if (patterns.length + insights.length + selfKnowledge.length === 0) return "";
  const counts = [
    plural(patterns.length, "pattern"),
    plural(insights.length, "insight"),
    `${selfKnowledge.length} self-knowledge`,
  ];
  return `Learnings: ${counts.join(", ")}`;
}

const HEADING: Readonly<Record<Category, string>> = {
  patterns: "Recent patterns:",
  insights: "Recent insights:",
  selfKnowledge: "Recent self-knowledge:",
};

export function formatLearningSummary(learned: LearnedLayer): string {
  const counts = formatLearningCounts(learned);
  if (counts === "") return "";
  return [counts, ...CATEGORIES.flatMap((category) => recent(HEADING[category], learned[category]))].join(
    "\n",
  );
}

function recent(heading: string, learnings: readonly Learning[]): string[] {
  const confirmed = learnings.filter((one) => one.confirmed).sort(newestFirst);
  if (confirmed.length === 0) return [];
  const rest = confirmed.length - PER_CATEGORY;
  return [
    heading,
    ...confirmed.slice(0, PER_CATEGORY).map((one) => `  - ${visible(one.content)}`),
    ...(rest > 0 ? [`  ... and ${rest} more`] : []),
  ];
}

/** By the last confirmation. Timestamps with `Z` sort as strings. */
export function newestFirst(a: Learning, b: Learning): number {
  const [one, other] = [a.confirmedAt ?? a.extractedAt, b.confirmedAt ?? b.extractedAt];
  return one < other ? 1 : one > other ? -1 : 0;
}

export function formatProposals(proposals: readonly Proposal[]): string {
  return formatSomeProposals(proposals, MAX_PROPOSALS);
}

function formatSomeProposals(proposals: readonly Proposal[], max: number): string {
  const pending = proposals.filter((one) => one.status === "pending");
  if (pending.length === 0) return "";
  const rest = pending.length - max;
  return [
    `Pending proposals (${pending.length}):`,
    ...pending
      .slice(0, max)
      .map(
        (one, i) =>
          `  ${i + 1}. [${one.type}] "${visible(one.content)}" (from session ${visible(one.source)})`,
      ),
    ...(rest > 0 ? [`  ... and ${rest} more`] : []),
  ].join("\n");
}

export function formatSessionState(state: StateLayer): string {
  const projects = state.activeProjects.map(visible).filter((name) => name !== "");
  return [
    `Last session: ${state.lastSessionAt === undefined ? "never" : readable(state.lastSessionAt)}`,
    `Active projects: ${projects.length === 0 ? "none" : projects.join(", ")}`,
    ...(state.checkpointRef === undefined ? [] : [`Checkpoint: ${visible(state.checkpointRef)}`]),
  ].join("\n");
}

/** An absolute time, not "two days ago", so that the same seed always gives the same text. */
export function readable(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
