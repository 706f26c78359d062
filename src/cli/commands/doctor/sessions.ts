import { existsSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import type { Values } from "../../../base/settings.ts";
import { areOfAgents, chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions } from "../../../sources/sessions/library.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { wasSetAside } from "../../../store/derived-index/damage.ts";
import { type Check, fail, fixable, type NamedFinding, ok, warn } from "./check.ts";
import { indexSessions } from "./fix-index.ts";

/** How many past sessions of each host are indexed. Reads no transcript and creates no index. */
export const checkSessions: Check = async (world, home) => {
  if (home === undefined) return [];
  const { env, now, history } = world;
  if (!existsSync(sessionsIndexPath(home)))
    return [ok("sessions", "none indexed yet; to index all: continuo sessions index")];
  const problems: NamedFinding[] = [];
  const onFailure = (_: string, message: string): void =>
    void problems.push(
      fixable("warn", "sessions", message, () => indexSessions(world), "run: continuo sessions index"),
    );
  try {
    const sessions = openSessions({ home, env, now, history: await history(), onFailure });
    try {
      const { text, count } = indexedCounts(sessions);
      if (problems.length === 0 && sessions.indexedAt() === 0 && wasSetAside(sessionsIndexPath(home)))
        onFailure("", "their index was damaged; not all sessions are in the new one yet");
      return [...problems, ok("sessions", text, { sessions: count })];
    } finally {
      sessions.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("sessions", message, hint ?? "to read the transcripts again: continuo sessions index")];
  }
};

function indexedCounts(sessions: Sessions): { text: string; count: number } {
  const counts = new Map<string, number>();
  const all = sessions.list();
  for (const { host } of all) counts.set(host, (counts.get(host) ?? 0) + 1);
  const hosts = [...counts].sort(([, a], [, b]) => b - a).map(([host, count]) => `${host} ${count}`);
  const known = hosts.length === 0 ? "none found" : `indexed: ${hosts.join(", ")}`;
  const text = sessions.indexedAt() === 0 ? `${known}; to index the rest: continuo sessions index` : known;
  return { text, count: all.length };
}

/** Which language model would be used. A host may have its own models as well. Sends nothing. */
export const checkModels: Check = async (world, home) => {
  if (home === undefined) return [];
  const values = sessionsSettings(home, world.env);
  const settings = modelSettings(values);
  if (settings.modelKeys.length === 0) return [ok("models", "none configured (optional)")];
  if (areOfAgents(settings))
    return [
      ok("models", `${settings.modelKeys.join(", ")}: used in an agent that has this model, such as pi`),
    ];
  const { model, problems } = await chooseModel(settings, world.env);
  return [
    ...(model === undefined ? [] : [ok("models", `${model.key} at ${model.address} ${tasksOf(values)}`)]),
    ...problems.map((problem) =>
      warn(
        "models",
        `modelKeys in config.json: ${problem}`,
        model === undefined
          ? "until one works, summaries are extracted without a model"
          : `${model.key} is used instead; pi may know models that this command does not`,
      ),
    ),
  ];
};

function tasksOf({ modelRecords, modelAnswers }: Values): string {
  return [
    modelRecords === false ? "summarises sessions on request" : "summarises sessions",
    ...(modelAnswers === false ? [] : ["answers questions about them"]),
  ].join(" and ");
}
