import { describeError } from "../../base/errors.ts";
import type { Item, Nature, Section } from "../../compose/section.ts";
import type { Answer, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import { describeErrors, isNewer, readSeed } from "./file/load.ts";
import { formatIdentitySummary, formatLearningCounts, formatSomeProposals, readable } from "./format.ts";
import { isNoted, isOurs } from "./last-session.ts";
import { pendingProposals } from "./learning/pending.ts";
import { because, learningsFor, type Question, type Ranked, rankLearnings } from "./learning/rank.ts";
import { tagFor } from "./learning/scope.ts";
import { visible } from "./text.ts";
import { type SeedConfig, TYPE_OF } from "./types.ts";

/** All three sections of a well-kept seed have room in a snapshot together; the person sees the rest in the review. */
const SHOWN_PROPOSALS = 3;

/** A prompt brings in a few at most: what was relevant from the start is there already. */
const PER_PROMPT = 2;

export async function answerWithSeed(path: string, moment: Moment, context: SourceContext): Promise<Answer> {
  const read = readSeed(path);
  if (read.state === "missing") return {};
  if (read.state === "damaged") {
    // Told once an epoch: at every prompt it would only fill the health log.
    if (moment.name === "start" || moment.name === "compacted") {
      const hint = isNewer(read.errors) ? "update Continuo" : "run: continuo seed repair";
      context.report("seed-damaged", `${path} cannot be used: ${describeErrors(read.errors)}`, hint);
    }
    return {};
  }
  const { config } = read;
  if (moment.name === "idle" || moment.name === "end") return keep(path, config, moment, context);
  const question = {
    projectTag: tagFor(moment.project, context.env),
    projectLabel: moment.project.label,
    now: moment.at,
  };
  if (moment.name === "prompt") {
    const ranked = learningsFor(config, { ...question, prompt: moment.prompt });
    const atMost = Math.min(PER_PROMPT, Number(context.settings["learnings"] ?? 0));
    return { sections: learnings(ranked.slice(0, atMost)) };
  }
  const isSetUp = read.state === "ready";
  return { sections: snapshot(path, config, isSetUp, question, moment, context) };
}

function snapshot(
  path: string,
  config: SeedConfig,
  isSetUp: boolean,
  question: Question,
  moment: Moment,
  { settings, env }: SourceContext,
): Section[] {
  const prompt = moment.name === "start" ? moment.prompt : undefined;
  const ranked = rankLearnings(config, prompt === undefined ? question : { ...question, prompt });
  const best = ranked.slice(0, Number(settings["learnings"] ?? 0));
  const mode = settings["mode"] === "auto" ? (env["PAI_DIR"] ? "complement" : "full") : settings["mode"];
  // Nobody is nagged to set the seed up: `continuo seed status` says it to who asks.
  const about = [
    ...(isSetUp && mode === "full" ? [item("identity", formatIdentitySummary(config.identity), 1)] : []),
    ...(isSetUp ? [item("state", stateOf(config, moment), 0)] : []),
  ];
  return [
    ...learnings(best),
    section("Seed", "reference", priorityOf("about the user"), about),
    ...proposals(config, path, settings["proposals"]),
  ];
}

function learnings(ranked: readonly Ranked[]): Section[] {
  const items = ranked.map(
    (one, place): Item => ({
      key: `learning/${one.learning.id}`,
      name: TYPE_OF[one.category],
      text: visible(one.learning.content),
      reason: `learned, ${because(one)}`,
      priority: -place,
    }),
  );
  return items.length === 0 ? [] : [section("Learned", "instructions", priorityOf("learnings"), items)];
}

function proposals(config: SeedConfig, path: string, how: unknown): Section[] {
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

/** Only what says something: after a compaction the last session may be this one. */
function stateOf({ version, learned, state }: SeedConfig, moment: Moment): string {
  const { lastSessionId, lastSessionAt, activeProjects, checkpointRef } = state;
  const last = lastSessionId === moment.session.id ? undefined : lastSessionAt;
  return [
    `Seed: v${version}`,
    formatLearningCounts(learned),
    last === undefined ? "" : `Last session: ${readable(last)}`,
    activeProjects.length === 0 ? "" : `Active projects: ${activeProjects.map(visible).join(", ")}`,
    checkpointRef === undefined || isOurs(checkpointRef) ? "" : `Checkpoint: ${visible(checkpointRef)}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

async function keep(
  path: string,
  config: SeedConfig,
  moment: Moment,
  context: SourceContext,
): Promise<Answer> {
  if (context.readOnly) return {};
  const isEnd = moment.name === "end";
  const facts = {
    host: moment.session.host,
    session: moment.session.id,
    project: visible(moment.project.label) || "project",
    at: moment.at,
  };
  // Sessions start far more often than they write: what writing needs is read only then.
  const heard = context.settings["extraction"] === "off" ? {} : await hear(path, moment, context);
  if (isEnd || !isNoted(config, facts)) {
    const { keepBooks } = await import("./keep-books.ts");
    await keepBooks(path, facts, isEnd);
  }
  return heard;
}

/** A history that cannot be read, or a seed that another process holds, costs only this: the next rest reads on. */
async function hear(path: string, moment: Moment, context: SourceContext): Promise<Answer> {
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
