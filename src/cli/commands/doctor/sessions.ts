import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import type { Values } from "../../../base/settings.ts";
import { chooseModel } from "../../../models/choose-model.ts";
import { modelSettings } from "../../../models/model-settings.ts";
import { sessionsIndexPath } from "../../../sources/sessions/index/sessions-index.ts";
import { openSessions, type Sessions } from "../../../sources/sessions/library.ts";
import { readRecord } from "../../../sources/sessions/records/files.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

/** How many past sessions of which host are known. Nothing is read for it, and no index is made. */
export const checkSessions: Check = async ({ env, now, history }, home) => {
  if (home === undefined) return [];
  if (!existsSync(sessionsIndexPath(home)))
    return [ok("sessions", "none indexed yet; continuo sessions index reads them all")];
  const troubles: NamedFinding[] = [];
  const onTrouble = (_: string, message: string): void =>
    void troubles.push(warn("sessions", message, "run: continuo sessions index"));
  try {
    const sessions = openSessions({ home, env, now, history: await history(), onTrouble });
    try {
      return [...troubles, ok("sessions", indexedCounts(sessions))];
    } finally {
      sessions.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("sessions", message, hint ?? "delete the index: it is derived and is built anew")];
  }
};

function indexedCounts(sessions: Sessions): string {
  const counts = new Map<string, number>();
  for (const { host } of sessions.list()) counts.set(host, (counts.get(host) ?? 0) + 1);
  const hosts = [...counts].sort(([, a], [, b]) => b - a).map(([host, count]) => `${host} ${count}`);
  const known = hosts.length === 0 ? "none found" : `indexed: ${hosts.join(", ")}`;
  return sessions.lookedAt() === 0 ? `${known}; continuo sessions index reads the rest` : known;
}

/** Records of past sessions that cannot be read: their sessions are found without what was written about them. */
export const checkRecords: Check = (_, home) => {
  if (home === undefined) return [];
  const damaged: string[] = [];
  const folder = join(home.root, "sessions-meta");
  for (const host of list(folder)) {
    const below = join(folder, host.name);
    for (const { name } of host.isDirectory() ? list(below).slice(0, MOST_RECORDS) : []) {
      if (name.endsWith(".meta.json")) readRecord(join(below, name), (reason) => void damaged.push(reason));
    }
    if (!host.isDirectory()) damaged.push(`${below} is no folder`);
  }
  const findings = damaged
    .slice(0, MOST_DAMAGED_SHOWN)
    .map((reason): NamedFinding => warn("records", reason, MEND));
  const more = damaged.length - findings.length;
  return more > 0 ? [...findings, warn("records", `${more} more cannot be read`, MEND)] : findings;

  function list(path: string): Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = systemCode(error);
      if (code !== "ENOENT")
        damaged.push(`${path} ${code === "ENOTDIR" ? "is no folder" : `cannot be read (${code})`}`);
      return [];
    }
  }
};

const MEND = "move it away; continuo sessions index makes records from what the hosts keep of the sessions";

/** For each host. Reading them all takes a second or two. */
const MOST_RECORDS = 20_000;
const MOST_DAMAGED_SHOWN = 10;

/** Which language model would be asked from here. A host may have others of its own; nothing is sent. */
export const checkModels: Check = async (world, home) => {
  if (home === undefined) return [];
  const values = sessionsSettings(home, world.env);
  const settings = modelSettings(values);
  if (settings.modelKeys.length === 0) return [ok("models", "none is named, and none is asked")];
  const { model, problems } = await chooseModel(settings, world.env);
  return [
    ...(model === undefined ? [] : [ok("models", `${model.key} at ${model.address} ${tasksOf(values)}`)]),
    ...problems.map((problem) =>
      warn(
        "models",
        `modelKeys in config.json: ${problem}`,
        model === undefined
          ? "until one can be used, records are in the sessions' own words; pi may know models that this command does not"
          : `${model.key} is asked instead; pi may know models that this command does not`,
      ),
    ),
  ];
};

function tasksOf({ modelRecords, modelAnswers }: Values): string {
  return [
    modelRecords === false ? "describes sessions when it is told to" : "describes sessions",
    ...(modelAnswers === false ? [] : ["answers about them"]),
  ].join(" and ");
}
