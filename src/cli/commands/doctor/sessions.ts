import { existsSync } from "node:fs";
import type { Values } from "../../../base/settings.ts";
import { count } from "../../../base/when.ts";
import { boundYoungGeneration } from "../../../base/young-generation.ts";
import { areOfAgents, chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { withSessions } from "../../../sources/sessions/access.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions } from "../../../sources/sessions/library.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { wasSetAside } from "../../../store/derived-index/damage.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { fixable, type NamedFinding, ok, warn } from "./check.ts";

/** How many past sessions of each host are indexed. Reads no transcript and creates no index. */
export async function* checkSessions(world: World, home: Home): AsyncGenerator<NamedFinding> {
  const { env, now, history } = world;
  if (!existsSync(sessionsIndexPath(home)))
    return yield ok("sessions", "none indexed yet; to index all: continuo sessions index");
  const problems: string[] = [];
  const onFailure = (_: string, message: string): void => void problems.push(message);
  const sessions = openSessions({ home, env, now, history: await history(), onFailure });
  try {
    const { text, count } = indexedCounts(sessions);
    if (problems.length === 0 && sessions.indexedAt() === 0 && wasSetAside(sessionsIndexPath(home)))
      problems.push("their index was damaged; not all sessions are in the new one yet");
    for (const problem of problems)
      yield fixable("warn", "sessions", problem, () => indexSessions(world), "run: continuo sessions index");
    yield ok("sessions", text, { sessions: count });
  } finally {
    sessions.close();
  }
}

function indexedCounts(sessions: Sessions): { text: string; count: number } {
  const counts = new Map<string, number>();
  const all = sessions.list();
  for (const { host } of all) counts.set(host, (counts.get(host) ?? 0) + 1);
  const hosts = [...counts].sort(([, a], [, b]) => b - a).map(([host, count]) => `${host} ${count}`);
  const known = hosts.length === 0 ? "none found" : `indexed: ${hosts.join(", ")}`;
  const text = sessions.indexedAt() === 0 ? `${known}; to index the rest: continuo sessions index` : known;
  return { text, count: all.length };
}

/** Which language model would be used. A host may also have its own models. Sends nothing. */
export async function* checkModels(world: World, home: Home): AsyncGenerator<NamedFinding> {
  const values = sessionsSettings(home, world.env);
  const settings = modelSettings(values);
  const keys = settings.modelKeys.join(", ");
  if (keys === "") return yield ok("models", "none configured (optional)");
  if (areOfAgents(settings))
    return yield ok("models", `${keys}: used in an agent that has this model, such as pi`);
  const { model, problems } = await chooseModel(settings, world.env);
  if (model !== undefined) yield ok("models", `${model.key} at ${model.address} ${tasksOf(values)}`);
  const meanwhile =
    model === undefined
      ? "until one works, summaries are extracted without a model"
      : `${model.key} is used instead; pi may know models that this command does not`;
  for (const problem of problems) yield warn("models", `modelKeys in config.json: ${problem}`, meanwhile);
}

function tasksOf({ modelRecords, modelAnswers }: Values): string {
  return [
    modelRecords === false ? "summarises sessions on request" : "summarises sessions",
    ...(modelAnswers === false ? [] : ["answers questions about them"]),
  ].join(" and ");
}

function indexSessions(world: World): Promise<string> {
  const progress = throttled(world);
  return withSessions({ ...world, home: findHome(world.env) }, 0, async (sessions) => {
    await sessions.sync({
      onProgress({ doneSessions, sessions: all }) {
        boundYoungGeneration();
        progress(`${doneSessions} of ${all} sessions read`);
      },
    });
    return `indexed ${count(sessions.size().sessions, "session")}`;
  });
}
