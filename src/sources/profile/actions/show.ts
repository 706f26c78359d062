import { count } from "../../../base/when.ts";
import { fields } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Block } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { newestValid } from "../file/history.ts";
import { readSeed } from "../file/load.ts";
import { isRepairable, type UnusableSeed, whyUnusable } from "../file/unusable.ts";
import { formatSessionState } from "../format.ts";
import { staleLearnings } from "../learning/relevance.ts";
import { resolveSeedPath } from "../settings.ts";
import { visible } from "../text.ts";
import { CATEGORIES, type Learning, type SeedConfig, TYPE_OF } from "../types.ts";
import { profileOf } from "./decide.ts";
import { identityText } from "./setup.ts";

/** The whole seed. Its JSON has the form that other programs use. */
export const show = action({
  name: "seed show",
  about: "show your whole profile",
  effect: "reads",
  input: fields({}),
  examples: [["continuo seed show", "show your profile with all learnings"]],
  run(_input, place) {
    const profile = profileOf(place);
    const { config } = profile;
    const learnings = CATEGORIES.flatMap((category) =>
      config.learned[category].map((one) => ({
        id: one.id,
        type: TYPE_OF[category],
        content: one.content,
        confirmed: one.confirmed,
        tags: one.tags,
        createdAt: Date.parse(one.extractedAt),
        updatedAt: Date.parse(one.confirmedAt ?? one.extractedAt),
      })),
    );
    return { profile, learnings, pending: profile.pending().map(({ content }) => visible(content)) };
  },
  json: ({ profile: { config }, learnings }) => ({
    version: config.version,
    learnings,
    identity: config.identity,
  }),
  view({ profile, learnings, pending }, { env, paint }) {
    const { config, state } = profile;
    const path = visible(shortPath(profile.path, env));
    const parts: readonly Block[] = [
      state === "none" ? `There is no profile yet (${path}).` : `Profile: v${config.version} (${path})`,
      state === "none" ? "" : identityText(config.identity),
      learnings.length === 0
        ? "No learnings yet."
        : {
            columns: ["id", "type", "project", "learning"],
            rows: learnings.map((one) => [
              paint("dim", one.id),
              one.type,
              scopeShown(one),
              visible(one.content),
            ]),
            fit: { wraps: [3], optional: [1, 2] },
          },
      pendingList(pending),
      state === "none" ? "" : stateText(config.state),
    ];
    return [
      ...parts
        .filter((part) => part !== "")
        .flatMap((part, at) => [
          ...(at === 0 ? [] : [""]),
          typeof part === "string" ? { text: part, hang: 2 } : part,
        ]),
      {
        next: [
          ...(pending.length > 0 ? [["continuo review", "Decide on suggestions"] as const] : []),
          ['continuo seed learn pattern "…"', "Add a learning"],
        ],
      },
    ];
  },
});

function scopeShown({ tags }: Pick<Learning, "tags">): string {
  const scopes = tags.filter((tag) => tag.startsWith("project:")).map((tag) => visible(tag.slice(8)));
  return scopes.length === 0 ? "all" : scopes.join(", ");
}

/** Never fails: shows the state of the seed and what can be done about it. */
export const status = action({
  name: "seed status",
  about: "show the state of your profile",
  effect: "reads",
  input: fields({}),
  examples: [["continuo seed status", "show how many learnings and suggestions there are"]],
  async run(_input, place) {
    const path = resolveSeedPath(undefined, place.env);
    const read = readSeed(path);
    const isHere = read.state === "ready" || read.state === "unconfigured";
    const canRestore = read.state === "missing" || (read.state === "damaged" && isRepairable(read));
    return {
      path,
      read,
      version: canRestore ? await newestValid(path) : undefined,
      pending: read.state === "damaged" ? 0 : profileOf(place).pending().length,
      learned: isHere ? counts(read.config, place.now()) : undefined,
    };
  },
  json({ path, read, version, pending, learned }) {
    const restorable = version?.commit ?? null;
    if (read.state === "missing") return { path, state: read.state, restorable, pending };
    if (read.state === "damaged") return { path, state: read.state, errors: read.errors, restorable };
    return { path, state: read.state, ...learned, pending, warnings: read.warnings };
  },
  view({ path, read, version, pending, learned }, { env }) {
    const shown = visible(shortPath(path, env));
    const back =
      version === undefined
        ? "Its history has no readable version."
        : `To restore the version of ${version.at}: continuo seed repair`;
    if (read.state === "damaged") return damagedLines({ ...read, path: shown }, back);
    const lines =
      read.state === "missing"
        ? [
            `There is no profile yet (${shown}).`,
            ...(version === undefined ? [] : [back]),
            "It is created when you accept the first suggestion, or with: continuo seed setup",
            pendingLine(pending),
          ]
        : [
            read.state === "ready"
              ? `Profile of ${visible(read.config.identity.principalName)}, v${read.config.version} (${shown})`
              : `Profile v${read.config.version} (${shown}); to add your name and style: continuo seed setup`,
            learnedLine(learned),
            pendingLine(pending),
            stateText(read.config.state),
            ...read.warnings,
          ];
    return [
      ...lines.filter((line) => line !== ""),
      { next: [["continuo seed show", "Your profile with all learnings"]] },
    ];
  },
});

function damagedLines(read: UnusableSeed, back: string): string[] {
  const { message, hint } = whyUnusable(read);
  return [message, isRepairable(read) ? back : `To use it: ${hint}`];
}

function counts({ learned, ...config }: SeedConfig, now: number) {
  const { patterns, insights, selfKnowledge } = learned;
  return {
    patterns: patterns.length,
    insights: insights.length,
    selfKnowledge: selfKnowledge.length,
    stale: staleLearnings({ learned, ...config }, now).length,
  };
}

function learnedLine(numbers: ReturnType<typeof counts> | undefined): string {
  if (numbers === undefined) return "";
  const { patterns, insights, selfKnowledge, stale } = numbers;
  const learned = count(patterns + insights + selfKnowledge, "learning");
  return stale === 0 ? learned : `${learned}, ${stale} not confirmed for 90 days: continuo seed stale`;
}

/** What other programs recorded, if any did; without the checkpoint, whose id is meaningful only to them. */
function stateText({ checkpointRef: _, ...state }: SeedConfig["state"]): string {
  const isNoted = state.lastSessionAt !== undefined || state.activeProjects.length > 0;
  return isNoted ? formatSessionState(state) : "";
}

const SHOWN_PENDING = 10;

function pendingList(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const rest = texts.length - SHOWN_PENDING;
  return [
    `${count(texts.length, "pending suggestion")}:`,
    ...texts.slice(0, SHOWN_PENDING).map((text) => `  - ${text}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ].join("\n");
}

function pendingLine(pending: number): string {
  return pending === 0
    ? "No pending suggestions."
    : `${count(pending, "pending suggestion")}: continuo review`;
}
