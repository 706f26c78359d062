import { join, resolve } from "node:path";
import { type Schema, typed, type Values } from "../../base/settings.ts";
import { loadSourceSettings } from "../../store/config.ts";
import { findHome, userHome } from "../../store/home.ts";

export const SEED_SETTINGS = {
  path: {
    kind: "text",
    default: "",
    env: "CONTINUO_SEED_PATH",
    help: "the file of your profile (default: ~/.pai/seed.json); its folder becomes a git repository",
  },
  learnings: {
    kind: "whole",
    default: 5,
    min: 0,
    max: 50,
    help: "maximum learnings at the start of a session; the most relevant are chosen",
  },
  mode: {
    kind: "choice",
    default: "auto",
    choices: ["auto", "full", "complement"],
    help: "complement leaves the identity out; auto does so if PAI_DIR is set, since PAI provides it",
  },
  extraction: {
    kind: "choice",
    default: "on",
    choices: ["on", "off"],
    help: "on: suggest learnings from what you say about how you want to work, when a session goes idle or ends",
  },
} as const satisfies Schema;

/** Below Continuo's home: proposals for a user who has no seed yet. */
export const WAITING_FILE = "proposals.jsonl";

/** The given file, else the one in the settings, else `~/.pai/seed.json`. */
export function resolveSeedPath(seedPath?: string, env: NodeJS.ProcessEnv = process.env): string {
  if (seedPath !== undefined && seedPath !== "") return expand(seedPath, env);
  const settings = loadSourceSettings(findHome(env).config, "seed", SEED_SETTINGS, env);
  return seedPathOf(settings, env) ?? join(userHome(env), ".pai", "seed.json");
}

/** Undefined if neither a setting nor a home folder determines the path. */
export function seedPathOf(settings: Values, env: NodeJS.ProcessEnv): string | undefined {
  const { path: own } = typed(SEED_SETTINGS, settings);
  if (own !== "") return expand(own, env);
  const home = env["HOME"] || env["USERPROFILE"];
  return home ? join(home, ".pai", "seed.json") : undefined;
}

function expand(path: string, env: NodeJS.ProcessEnv): string {
  return /^~(?=$|[\\/])/.test(path) ? join(userHome(env), path.slice(1)) : resolve(path);
}
