import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import type { Values } from "../../../base/settings.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions } from "../../../sources/sessions/library.ts";
import { readRecord } from "../../../sources/sessions/records/files.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

/** How many past sessions of each host are indexed. Reads no transcript and creates no index. */
export const checkSessions: Check = async ({ env, now, history }, home) => {
  if (home === undefined) return [];
  if (!existsSync(sessionsIndexPath(home)))
    return [ok("sessions", "none indexed yet; to index all: continuo sessions index")];
  const problems: NamedFinding[] = [];
  const onFailure = (_: string, message: string): void =>
    void problems.push(warn("sessions", message, "run: continuo sessions index"));
  try {
    const sessions = openSessions({ home, env, now, history: await history(), onFailure });
    try {
      return [...problems, ok("sessions", indexedCounts(sessions))];
    } finally {
      sessions.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("sessions", message, hint ?? "delete the index: it is rebuilt from files")];
  }
};

function indexedCounts(sessions: Sessions): string {
  const counts = new Map<string, number>();
  for (const { host } of sessions.list()) counts.set(host, (counts.get(host) ?? 0) + 1);
  const hosts = [...counts].sort(([, a], [, b]) => b - a).map(([host, count]) => `${host} ${count}`);
  const known = hosts.length === 0 ? "none found" : `indexed: ${hosts.join(", ")}`;
  return sessions.indexedAt() === 0 ? `${known}; to index the rest: continuo sessions index` : known;
}

/** Summaries of past sessions that cannot be read. Their sessions are still found, without the summary. */
export const checkRecords: Check = (_, home) => {
  if (home === undefined) return [];
  const damaged: string[] = [];
  const folder = join(home.root, "sessions-meta");
  for (const host of list(folder)) {
    const below = join(folder, host.name);
    for (const { name } of host.isDirectory() ? list(below).slice(0, MOST_RECORDS) : []) {
      if (name.endsWith(".meta.json")) readRecord(join(below, name), (reason) => void damaged.push(reason));
    }
    if (!host.isDirectory()) damaged.push(`${below} is not a folder`);
  }
  const findings = damaged
    .slice(0, MOST_DAMAGED_SHOWN)
    .map((reason): NamedFinding => warn("records", reason, FIX));
  const more = damaged.length - findings.length;
  return more > 0 ? [...findings, warn("records", `${more} more cannot be read`, FIX)] : findings;

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = systemCode(error);
      if (code !== "ENOENT")
        damaged.push(`${path} ${code === "ENOTDIR" ? "is not a folder" : `cannot be read (${code})`}`);
      return [];
    }
  }
};

const FIX = "move it away, then run continuo sessions index: it is written again from the transcript";

/** For each host; reading this many takes a second or two. */
const MOST_RECORDS = 20_000;
const MOST_DAMAGED_SHOWN = 10;

/** Which language model would be used. A host may have its own models as well. Sends nothing. */
export const checkModels: Check = async (world, home) => {
  if (home === undefined) return [];
  const values = sessionsSettings(home, world.env);
  const settings = modelSettings(values);
  if (settings.modelKeys.length === 0) return [ok("models", "none configured (optional)")];
  const { model, problems } = await chooseModel(settings, world.env);
  return [
    ...(model === undefined ? [] : [ok("models", `${model.key} at ${model.address} ${tasksOf(values)}`)]),
    ...problems.map((problem) =>
      warn(
        "models",
        `modelKeys in config.json: ${problem}`,
        model === undefined
          ? "until one works, summaries are extracted without a model; pi may know models that this command does not"
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
