import { shortPath } from "../../../moments/project/known-project.ts";
import { newestValid } from "../../../sources/profile/file/history.ts";
import { readSeed } from "../../../sources/profile/file/load.ts";
import { isRepairable, whyUnusable } from "../../../sources/profile/file/unusable.ts";
import { formatSessionState } from "../../../sources/profile/format.ts";
import { staleLearnings } from "../../../sources/profile/learning/relevance.ts";
import { visible } from "../../../sources/profile/text.ts";
import { CATEGORIES, type Learning, type SeedConfig, TYPE_OF } from "../../../sources/profile/types.ts";
import type { Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { identityText, pathOf, profileOf } from "./decide.ts";

/** The whole seed. Its JSON has the form that other programs use. */
export function show(input: Input): Outcome {
  const profile = profileOf(input);
  const { config } = profile;
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const path = visible(shortPath(profile.path, input.env));
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
  const rows = learnings.map((one) => [
    paint("dim", one.id),
    one.type,
    scopeShown(one),
    visible(one.content),
  ]);
  const parts = [
    profile.state === "none" ? `There is no profile yet (${path}).` : `Profile: v${config.version} (${path})`,
    profile.state === "none" ? "" : identityText(config.identity),
    rows.length === 0
      ? "No learnings yet."
      : table(["id", "type", "project", "learning"], rows, screen, { wraps: [3], optional: [1, 2] }),
    pendingList(profile.pending().map(({ content }) => visible(content))),
    profile.state === "none" ? "" : stateText(config.state),
  ];
  const data = { version: config.version, learnings, identity: config.identity };
  const steps = nextSteps(
    screen,
    profile.pending().length > 0 ? ["continuo review", "Decide on suggestions"] : undefined,
    ['continuo seed learn pattern "…"', "Add a learning"],
  ).slice(1);
  const shown = parts.filter((part) => part !== "").map((part) => wrapOn(part, screen, { hang: 2 }));
  return { data, text: [...shown, ...(steps.length === 0 ? [] : [steps.join("\n")])].join("\n\n") };
}

function scopeShown({ tags }: Pick<Learning, "tags">): string {
  const scopes = tags.filter((tag) => tag.startsWith("project:")).map((tag) => visible(tag.slice(8)));
  return scopes.length === 0 ? "all" : scopes.join(", ");
}

/** Never fails: shows the state of the seed and what can be done about it. */
export async function status(input: Input): Promise<Outcome> {
  const path = pathOf(input);
  const read = readSeed(path);
  const { screen = PLAIN } = input;
  const shown = visible(shortPath(path, input.env));
  const steps = nextSteps(screen, ["continuo seed show", "Your profile with all learnings"]);
  if (read.state === "missing" || read.state === "damaged") {
    if (read.state === "damaged" && !isRepairable(read)) {
      const { message, hint } = whyUnusable({ ...read, path: shown });
      const data = { path, state: read.state, errors: read.errors, restorable: null };
      return { data, text: wrapOn(`${message}\nTo use it: ${hint}`, screen) };
    }
    const version = await newestValid(path);
    const back =
      version === undefined
        ? "Its history has no readable version."
        : `To restore the version of ${version.at}: continuo seed repair`;
    if (read.state === "damaged") {
      const text = `${whyUnusable({ ...read, path: shown }).message}\n${back}`;
      return {
        data: { path, state: read.state, errors: read.errors, restorable: version?.commit ?? null },
        text: wrapOn(text, screen),
      };
    }
    const pending = profileOf(input).pending().length;
    const text = [
      `There is no profile yet (${shown}).`,
      ...(version === undefined ? [] : [back]),
      "It is created when you accept the first suggestion, or with: continuo seed setup",
      pendingLine(pending),
    ].join("\n");
    return {
      data: { path, state: read.state, restorable: version?.commit ?? null, pending },
      text: [wrapOn(text, screen), ...steps].join("\n"),
    };
  }
  const { config } = read;
  const numbers = counts(config, profileOf(input).pending().length, input.now());
  const text = [
    read.state === "ready"
      ? `Profile of ${visible(config.identity.principalName)}, v${config.version} (${shown})`
      : `Profile v${config.version} (${shown}); to add your name and style: continuo seed setup`,
    learnedLine(numbers),
    pendingLine(numbers.pending),
    stateText(config.state),
    ...read.warnings,
  ]
    .filter((line) => line !== "")
    .join("\n");
  return {
    data: { path, state: read.state, ...numbers, warnings: read.warnings },
    text: [wrapOn(text, screen), ...steps].join("\n"),
  };
}

function learnedLine({ patterns, insights, selfKnowledge, stale }: ReturnType<typeof counts>): string {
  const learned = counted(patterns + insights + selfKnowledge, "learning");
  return stale === 0 ? learned : `${learned}, ${stale} not confirmed for 90 days: continuo seed stale`;
}

/** What other programs noted, if any did; without the checkpoint, whose id only they know. */
function stateText({ checkpointRef: _, ...state }: SeedConfig["state"]): string {
  const isNoted = state.lastSessionAt !== undefined || state.activeProjects.length > 0;
  return isNoted ? formatSessionState(state) : "";
}

const SHOWN_PENDING = 10;

function pendingList(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const rest = texts.length - SHOWN_PENDING;
  return [
    `${counted(texts.length, "pending suggestion")}:`,
    ...texts.slice(0, SHOWN_PENDING).map((text) => `  - ${text}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join("\n");
}

function pendingLine(pending: number): string {
  return pending === 0
    ? "No pending suggestions."
    : `${counted(pending, "pending suggestion")}: continuo review`;
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
