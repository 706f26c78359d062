import { describeError } from "../../base/errors.ts";
import { typed } from "../../base/settings.ts";
import { count } from "../../base/when.ts";
import type { Item, Nature, Section } from "../../compose/section.ts";
import type { Answer, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import { describeErrors, isNewer, readSeed } from "./file/load.ts";
import { formatIdentitySummary, formatLearningCounts, formatSomeProposals, readable } from "./format.ts";
import { isOwnCheckpoint, isRecorded, recordLastSession } from "./last-session.ts";
import { pendingProposals } from "./learning/decision-log.ts";
import {
  learningsForPrompt,
  type RankedLearning,
  type RankQuery,
  rankLearnings,
  reasonFor,
  tagFor,
} from "./learning/relevance.ts";
import { SEED_SETTINGS } from "./settings.ts";
import { visible } from "./text.ts";
import { type SeedConfig, TYPE_OF } from "./types.ts";

/** With this many, all three sections of a typical seed fit into a snapshot; the person sees the rest in the review. */
const SHOWN_PROPOSALS = 3;

/** A prompt adds only a few: what was relevant at the start is in the session already. */
const PER_PROMPT = 2;

export async function answerWithSeed(path: string, moment: Moment, context: SourceContext): Promise<Answer> {
  const read = readSeed(path);
  if (read.state === "missing") return {};
  if (read.state === "damaged") {
    // Reported once per epoch: at every prompt it would only fill the health log.
    if (moment.name === "start" || moment.name === "compacted") {
      const hint = isNewer(read.errors) ? "update Continuo" : "run: continuo seed repair";
      context.report("seed-damaged", `${path} cannot be used: ${describeErrors(read.errors)}`, hint);
    }
    return {};
  }
  const { config } = read;
  if (moment.name === "idle" || moment.name === "end") return recordAndExtract(path, config, moment, context);
  const query = {
    projectTag: tagFor(moment.project, context.env),
    projectLabel: moment.project.label,
    now: moment.at,
  };
  if (moment.name === "prompt") {
    const ranked = learningsForPrompt(config, { ...query, prompt: moment.prompt });
    const atMost = Math.min(PER_PROMPT, typed(SEED_SETTINGS, context.settings).learnings);
    return { sections: learnings(ranked.slice(0, atMost)) };
  }
  const isSetUp = read.state === "ready";
  return { sections: snapshot(path, config, isSetUp, query, moment, context) };
}

function snapshot(
  path: string,
  config: SeedConfig,
  isSetUp: boolean,
  query: RankQuery,
  moment: Moment,
  { settings, env }: SourceContext,
): Section[] {
  const prompt = moment.name === "start" ? moment.prompt : undefined;
  const ranked = rankLearnings(config, prompt === undefined ? query : { ...query, prompt });
  const { learnings: most, mode: wanted, proposals: how } = typed(SEED_SETTINGS, settings);
  const best = ranked.slice(0, most);
  const mode = wanted === "auto" ? (env["PAI_DIR"] ? "complement" : "full") : wanted;
  // Nobody is nagged to set up the seed: `continuo seed status` says it to those who ask.
  const about = [
    ...(isSetUp && mode === "full" ? [item("identity", formatIdentitySummary(config.identity), 1)] : []),
    ...(isSetUp ? [item("state", stateOf(config, moment), 0)] : []),
  ];
  return [
    ...learnings(best),
    section("Seed", "reference", priorityOf("about the user"), about),
    ...proposals(config, path, how),
  ];
}

function learnings(ranked: readonly RankedLearning[]): Section[] {
  const items = ranked.map(
    (one, place): Item => ({
      key: `learning/${one.learning.id}`,
      name: TYPE_OF[one.category],
      text: visible(one.learning.content),
      reason: `learned, ${reasonFor(one)}`,
      priority: -place,
    }),
  );
  if (items.length === 0) return [];
  const summary = (delivered: number) => count(delivered, "learning");
  return [{ ...section("Learned", "instructions", priorityOf("learnings"), items), summary }];
}

function proposals(config: SeedConfig, path: string, how: "present" | "count" | "off"): Section[] {
  if (how === "off") return [];
  const pending = pendingProposals(config, path);
  if (pending.length === 0) return [];
  const text =
    how === "count" ? `Pending proposals: ${pending.length}` : formatSomeProposals(pending, SHOWN_PROPOSALS);
  const decide = "The user decides with: continuo seed review";
  return [
    section("Proposals", "proposal", priorityOf("proposals"), [item("proposals", `${text}\n${decide}`, 0)]),
  ];
}

/** Leaves out what is empty, and the last session if it is this one, as after a compaction. */
function stateOf({ version, learned, state }: SeedConfig, moment: Moment): string {
  const { lastSessionId, lastSessionAt, activeProjects, checkpointRef } = state;
  const last = lastSessionId === moment.session.id ? undefined : lastSessionAt;
  return [
    `Seed: v${version}`,
    formatLearningCounts(learned),
    last === undefined ? "" : `Last session: ${readable(last)}`,
    activeProjects.length === 0 ? "" : `Active projects: ${activeProjects.map(visible).join(", ")}`,
    checkpointRef === undefined || isOwnCheckpoint(checkpointRef)
      ? ""
      : `Checkpoint: ${visible(checkpointRef)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** The only moments at which the seed is written. */
async function recordAndExtract(
  path: string,
  config: SeedConfig,
  moment: Moment,
  context: SourceContext,
): Promise<Answer> {
  if (context.readOnly) return {};
  const isEnd = moment.name === "end";
  const last = {
    host: moment.session.host,
    session: moment.session.id,
    project: visible(moment.project.label) || "project",
    at: moment.at,
  };
  const extracted =
    typed(SEED_SETTINGS, context.settings).extraction === "off"
      ? {}
      : await extractProposals(path, moment, context);
  if (isEnd || !isRecorded(config, last)) await recordLastSession(path, last, isEnd);
  return extracted;
}

/** If the transcript cannot be read, or another process holds the seed, the next idle moment tries again. */
async function extractProposals(path: string, moment: Moment, context: SourceContext): Promise<Answer> {
  try {
    const { extract, readProgress, withProgress } = await import("./learning/extraction/extract.ts");
    const before = readProgress(context.memo);
    const after = await extract(path, moment, before, context);
    return after === undefined ? {} : { remember: (memo) => withProgress(memo, before, after) };
  } catch (error) {
    context.report("seed-extraction", `nothing was proposed: ${describeError(error).message}`);
    return {};
  }
}

function item(key: string, text: string, priority: number): Item {
  return { key, name: key, text, reason: "from the seed", priority };
}

function section(title: string, nature: Nature, priority: number, items: readonly Item[]): Section {
  return { source: "seed", title, nature, priority, essential: false, items };
}
