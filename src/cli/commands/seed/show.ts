import { formatIdentitySummary, formatProposals, formatSessionState } from "../../../sources/seed/format.ts";
import { lastDiff, newestValid } from "../../../sources/seed/history.ts";
import { describeErrors, readSeed } from "../../../sources/seed/load.ts";
import { pendingProposals } from "../../../sources/seed/pending.ts";
import { staleLearnings } from "../../../sources/seed/stale.ts";
import { CATEGORIES, type Learning, type SeedConfig, TYPE_OF } from "../../../sources/seed/types.ts";
import { visible } from "../../../sources/seed/words.ts";
import type { Input, Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { pathOf, seedOf } from "./place.ts";

/** The whole seed; as JSON in the form in which other programs print it. */
export function show(input: Input): Outcome {
  const { config, path } = seedOf(input);
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
    `Seed: v${config.version} (${path})`,
    formatIdentitySummary(config.identity),
    rows.length === 0 ? "Nothing is learned yet." : table(["id", "type", "where", "learned"], rows),
    formatProposals(pendingProposals(config, path)),
    formatSessionState(config.state),
  ];
  const data = { version: config.version, learnings, identity: config.identity };
  return { data, text: parts.filter((part) => part !== "").join("\n\n") };
}

function scopeShown({ tags }: Pick<Learning, "tags">): string {
  const scopes = tags.filter((tag) => tag.startsWith("project:")).map((tag) => visible(tag.slice(8)));
  return scopes.length === 0 ? "everywhere" : scopes.join(", ");
}

/** Never fails: it says what state the seed is in, and what can be done. */
export async function status(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const read = readSeed(path);
  if (read.state === "missing" || read.state === "damaged") {
    const version = await newestValid(path);
    const back =
      version === undefined
        ? "Its history holds no version that can be read."
        : `The version of ${version.at} can be brought back: continuo seed repair`;
    if (read.state === "damaged") {
      const text = `${path} is damaged: ${describeErrors(read.errors)}\n${back}`;
      return {
        data: { path, state: read.state, errors: read.errors, restorable: version?.commit ?? null },
        text,
      };
    }
    const text = [
      `There is no seed (${path}).`,
      ...(version === undefined ? [] : [back]),
      "Make one: continuo seed setup",
    ].join("\n");
    return { data: { path, state: read.state, restorable: version?.commit ?? null }, text };
  }
  const { config } = read;
  const numbers = counts(config, path, input.now());
  const text = [
    read.state === "ready"
      ? `Seed of ${visible(config.identity.principalName)}, v${config.version} (${path})`
      : `The seed is not set up (${path}): continuo seed setup`,
    `${numbers.patterns} patterns, ${numbers.insights} insights, ${numbers.selfKnowledge} self-knowledge; ${numbers.stale} stale`,
    `${numbers.pending} proposals wait${numbers.pending === 0 ? "" : ": continuo seed review"}`,
    formatSessionState(config.state),
    ...read.warnings,
  ].join("\n");
  return { data: { path, state: read.state, ...numbers, warnings: read.warnings }, text };
}

function counts(config: SeedConfig, path: string, now: number) {
  const { patterns, insights, selfKnowledge } = config.learned;
  return {
    patterns: patterns.length,
    insights: insights.length,
    selfKnowledge: selfKnowledge.length,
    pending: pendingProposals(config, path).length,
    stale: staleLearnings(config, now).length,
  };
}

export async function diff(input: Input): Promise<Outcome> {
  const shown = await lastDiff(pathOf(input));
  return { data: shown, text: [shown.what, shown.diff].filter((part) => part !== "").join("\n") };
}
