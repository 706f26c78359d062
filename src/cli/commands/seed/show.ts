import { newestValid } from "../../../sources/seed/file/history.ts";
import { describeErrors, readSeed } from "../../../sources/seed/file/load.ts";
import { formatProposals, formatSessionState } from "../../../sources/seed/format.ts";
import { staleLearnings } from "../../../sources/seed/learning/relevance.ts";
import { visible } from "../../../sources/seed/text.ts";
import { CATEGORIES, type Learning, type SeedConfig, TYPE_OF } from "../../../sources/seed/types.ts";
import type { Input, Outcome } from "../../command.ts";
import { counted, table } from "../../terminal/table.ts";
import { identityText, pathOf, profileOf } from "./decide.ts";

/** The whole seed. Its JSON has the form that other programs use. */
export function show(input: Input): Outcome {
  const profile = profileOf(input);
  const { config, path } = profile;
  const all = CATEGORIES.flatMap((category) => config.learned[category].map((one) => ({ category, one })));
  const learnings = all.map(({ category, one }) => ({
    id: one.id,
    type: TYPE_OF[category],
    content: one.content,
    confirmed: one.confirmed,
    tags: one.tags,
    createdAt: Date.parse(one.extractedAt),
    updatedAt: Date.parse(one.confirmedAt ?? one.extractedAt),
  }));
  const rows = learnings.map((one) => [one.id, one.type, scopeShown(one), visible(one.content)]);
  const parts = [
    profile.state === "none" ? `There is no seed yet (${path}).` : `Seed: v${config.version} (${path})`,
    profile.state === "none" ? "" : identityText(config.identity),
    rows.length === 0 ? "Nothing learned yet." : table(["id", "type", "project", "learning"], rows),
    formatProposals(profile.pending()),
    profile.state === "none" ? "" : formatSessionState(config.state),
  ];
  const data = { version: config.version, learnings, identity: config.identity };
  return { data, text: parts.filter((part) => part !== "").join("\n\n") };
}

function scopeShown({ tags }: Pick<Learning, "tags">): string {
  const scopes = tags.filter((tag) => tag.startsWith("project:")).map((tag) => visible(tag.slice(8)));
  return scopes.length === 0 ? "all" : scopes.join(", ");
}

/** Never fails: shows the state of the seed and what can be done about it. */
export async function status(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const read = readSeed(path);
  if (read.state === "missing" || read.state === "damaged") {
    const version = await newestValid(path);
    const back =
      version === undefined
        ? "Its history has no readable version."
        : `To restore the version of ${version.at}: continuo seed repair`;
    if (read.state === "damaged") {
      const text = `${path} is damaged: ${describeErrors(read.errors)}\n${back}`;
      return {
        data: { path, state: read.state, errors: read.errors, restorable: version?.commit ?? null },
        text,
      };
    }
    const pending = profileOf(input).pending().length;
    const text = [
      `There is no seed yet (${path}).`,
      ...(version === undefined ? [] : [back]),
      pendingLine(pending),
      "It is created when you accept the first suggestion, or with: continuo seed setup",
    ].join("\n");
    return { data: { path, state: read.state, restorable: version?.commit ?? null, pending }, text };
  }
  const { config } = read;
  const numbers = counts(config, profileOf(input).pending().length, input.now());
  const text = [
    read.state === "ready"
      ? `Seed of ${visible(config.identity.principalName)}, v${config.version} (${path})`
      : `Seed v${config.version} (${path}); to add your name and style: continuo seed setup`,
    `${counted(numbers.patterns, "pattern")}, ${counted(numbers.insights, "insight")}, ${numbers.selfKnowledge} self-knowledge; ${numbers.stale} stale`,
    pendingLine(numbers.pending),
    formatSessionState(config.state),
    ...read.warnings,
  ].join("\n");
  return { data: { path, state: read.state, ...numbers, warnings: read.warnings }, text };
}

function pendingLine(pending: number): string {
  return pending === 0
    ? "No pending suggestions."
    : `${counted(pending, "pending suggestion")}: continuo seed review`;
}

function counts(config: SeedConfig, pending: number, now: number) {
  const { patterns, insights, selfKnowledge } = config.learned;
  return {
    patterns: patterns.length,
    insights: insights.length,
    selfKnowledge: selfKnowledge.length,
    pending,
    stale: staleLearnings(config, now).length,
  };
}
