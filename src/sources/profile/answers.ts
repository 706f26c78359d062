import { describeError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { typed } from "../../base/settings.ts";
import { clipWithin } from "../../base/text.ts";
import { count } from "../../base/when.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Answer, SourceContext } from "../../moments/ports/source.ts";
import type { Moment } from "../../moments/types.ts";
import { priorityOf } from "../order.ts";
import { readSeed, type SeedRead } from "./file/load.ts";
import { STATE_KEYS, setKey } from "./file/schema.ts";
import { whyUnusable } from "./file/unusable.ts";
import { identityInstructions } from "./format.ts";
import { hasNews, readProgress, withProgress } from "./learning/extraction/progress.ts";
import type { Place } from "./learning/profile.ts";
import {
  learningsForPrompt,
  projectTag,
  type RankedLearning,
  type RankQuery,
  rankLearnings,
  reasonFor,
  TAG,
} from "./learning/relevance.ts";
import { SEED_SETTINGS } from "./settings.ts";
import { visible } from "./text.ts";
import { CATEGORIES, type SeedConfig } from "./types.ts";

/** A prompt adds only a few, because what was relevant at the start is already in the session. */
const PER_PROMPT = 2;

export async function answerMoment(place: Place, moment: Moment, context: SourceContext): Promise<Answer> {
  const read = readSeed(place.seed);
  if (read.state === "damaged") {
    // Reported once per epoch: at every prompt it would only fill the health log.
    if (moment.name === "start" || moment.name === "compacted") {
      const { code, message, hint } = whyUnusable(read);
      context.report(code, message, hint);
    }
    return {};
  }
  const config = read.state === "missing" ? undefined : read.config;
  if (moment.name === "idle" || moment.name === "end")
    return recordAndExtract(place, config, moment, context);
  const waiting = moment.name === "start" ? await waitingIn(place, read, context) : 0;
  if (config === undefined) return { waiting };
  const query = queryFor(config, moment, context);
  if (moment.name === "prompt") {
    const ranked = learningsForPrompt(config, { ...query, prompt: moment.prompt });
    const atMost = Math.min(PER_PROMPT, typed(SEED_SETTINGS, context.settings).learnings);
    return { sections: learnings(ranked.slice(0, atMost)) };
  }
  return { sections: snapshot(config, query, moment, context), waiting };
}

function queryFor(config: SeedConfig, moment: Moment, context: SourceContext): RankQuery {
  const isOfProjects = CATEGORIES.some((category) =>
    config.learned[category].some((one) => one.tags.some((tag) => tag.startsWith(TAG))),
  );
  const user = context.env["HOME"] || context.env["USERPROFILE"];
  const ids = isOfProjects ? context.knownProject().ids : [];
  return {
    projectTags: new Set(ids.map((id) => projectTag(id, user))),
    projectLabel: moment.project.label,
    now: moment.at,
  };
}

async function waitingIn(place: Place, seed: SeedRead, context: SourceContext): Promise<number> {
  try {
    const { readProfile } = await import("./learning/profile.ts");
    const profile = readProfile(place, seed);
    return profile.pending().length - profile.heldBack().size;
  } catch (error) {
    const { message, hint } = describeError(error);
    context.report("seed-proposals", `suggestions cannot be read: ${message}`, hint);
    return 0;
  }
}

/** The user is not urged to set up the seed: what they set is delivered, and nothing else. */
function snapshot(
  config: SeedConfig,
  query: RankQuery,
  moment: Moment,
  { settings, env }: SourceContext,
): Section[] {
  const prompt = moment.name === "start" ? moment.prompt : undefined;
  const ranked = rankLearnings(config, prompt === undefined ? query : { ...query, prompt });
  const { learnings: most, mode: wanted } = typed(SEED_SETTINGS, settings);
  const mode = wanted === "auto" ? (env["PAI_DIR"] ? "complement" : "full") : wanted;
  return [...learnings(ranked.slice(0, most)), ...(mode === "full" ? identity(config) : [])];
}

/** A learning's only name is its sentence, which the model gets as a whole. */
const LONGEST_NAME = 60;

function learnings(ranked: readonly RankedLearning[]): Section[] {
  if (ranked.length === 0) return [];
  const items = ranked.map(
    (one, place): Item => ({
      key: `learning/${one.learning.id}`,
      name: clipWithin(visible(one.learning.content), LONGEST_NAME),
      text: visible(one.learning.content),
      reason: `learned, ${reasonFor(one)}`,
      priority: -place,
      isUsers: true,
    }),
  );
  const summary = (delivered: number) => count(delivered, "learning");
  return [{ ...COMMON, title: "Learned from this user", priority: priorityOf("learnings"), items, summary }];
}

function identity(config: SeedConfig): Section[] {
  const text = identityInstructions(config.identity);
  if (text === "") return [];
  const item = { key: "identity", name: "identity", text, reason: "set by the user", priority: 0 };
  return [{ ...COMMON, title: "User", priority: priorityOf("about the user"), items: [item] }];
}

/** The user accepted or set all of it, so it may be delivered as instructions. */
const COMMON = { source: "seed", nature: "about the user", essential: true, layout: "lines" } as const;

/** The only moments at which anything is written. */
async function recordAndExtract(
  place: Place,
  config: SeedConfig | undefined,
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
      : await extractProposals(place, moment, context);
  if (config !== undefined && (isEnd || !isRecorded(config, last)))
    await recordLastSession(place.seed, last, isEnd);
  return extracted;
}

/**
 * Compiling the patterns takes a fifth of a second per process, and a hook is a separate process, so not at every turn.
 * What is said in between is processed a few minutes later or when the session ends.
 */
const HEARING_EVERY_MS = 5 * 60_000;

function isHeardLately({ name, at }: Moment, { isOwnProcess, memo }: SourceContext): boolean {
  const heardAt = isRecord(memo) ? memo["heardAt"] : undefined;
  const isLately = typeof heardAt === "number" && Math.abs(at - heardAt) < HEARING_EVERY_MS;
  return isOwnProcess === true && name === "idle" && isLately;
}

/** If the transcript cannot be read, or another process holds the lock, the next idle moment tries again. */
async function extractProposals(place: Place, moment: Moment, context: SourceContext): Promise<Answer> {
  if (isHeardLately(moment, context)) return {};
  try {
    const before = readProgress(context.memo);
    if (!hasNews(moment, before, context.isOwnProcess === true)) return {};
    const { extract } = await import("./learning/extraction/extract.ts");
    const after = await extract(place, moment, before, context);
    if (after === undefined) return {};
    return { remember: (memo) => ({ ...withProgress(memo, before, after), heardAt: moment.at }) };
  } catch (error) {
    context.report("seed-extraction", `nothing was proposed: ${describeError(error).message}`);
    return {};
  }
}

/** The session that the seed's state records as the last one. */
interface LastSession {
  readonly host: string;
  readonly session: string;
  readonly project: string;
  readonly at: number;
}

const MAX_PROJECTS = 8;

/** The host is waiting. */
const LOCK_WAIT_MS = 300;

/** Checkpoints that Continuo set. Other programs' are left alone. */
const CHECKPOINT = "continuo:";

function isOwnCheckpoint(checkpointRef: string): boolean {
  return checkpointRef.startsWith(CHECKPOINT);
}

/** Whether recording would change nothing. Checked without the lock each time a session goes idle. */
function isRecorded(config: SeedConfig, last: LastSession): boolean {
  const { lastSessionId, activeProjects } = config.state;
  return lastSessionId === last.session && activeProjects[0] === last.project;
}

/**
 * Records the last session. Written when a session first goes idle, so that a session whose host is killed is recorded
 * too. Later idle moments write nothing, and only the end commits: a commit for each idle moment would bury the
 * decisions in the history.
 */
async function recordLastSession(path: string, last: LastSession, isEnd: boolean): Promise<void> {
  // Loaded here, because session starts load this file and never write.
  const { changeSeed } = await import("./file/change.ts");
  await changeSeed(
    path,
    (config) => {
      if (!isEnd && isRecorded(config, last)) return undefined;
      return {
        config: withLastSession(config, last),
        kind: "Update",
        what: `session in ${last.project} (${last.host})`,
      };
    },
    { lockWaitMs: LOCK_WAIT_MS, commit: isEnd },
  );
}

export function withLastSession(config: SeedConfig, { host, session, project, at }: LastSession): SeedConfig {
  let { state } = config;
  // Sessions may end in another order than they went idle: the later time wins.
  const isLater = state.lastSessionAt === undefined || Date.parse(state.lastSessionAt) <= at;
  if (isLater) {
    state = setKey(state, "lastSessionId", session, STATE_KEYS);
    state = setKey(state, "lastSessionAt", new Date(at).toISOString(), STATE_KEYS);
  }
  const others = state.activeProjects.filter((name) => name !== project);
  state = { ...state, activeProjects: [project, ...others].slice(0, MAX_PROJECTS) };
  if (isLater && isOwnCheckpoint(state.checkpointRef ?? CHECKPOINT)) {
    state = setKey(state, "checkpointRef", `${CHECKPOINT}${host}/${session}`, STATE_KEYS);
  }
  return { ...config, state };
}
