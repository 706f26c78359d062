import { join, resolve } from "node:path";
import type { Schema, Values } from "../../base/settings.ts";
import { loadConfig } from "../../store/config.ts";
import { findHome, userHome } from "../../store/home.ts";

export const SEED_SETTINGS = {
  path: {
    kind: "text",
    default: "",
    env: "CONTINUO_SEED_PATH",
    help: "the seed's file, if it is not ~/.pai/seed.json; the folder that it is in becomes a git repository",
  },
  proposals: {
    kind: "choice",
    default: "present",
    choices: ["present", "count", "off"],
    help: "how a session is told of proposals that wait: their texts, how many there are, or nothing",
  },
  learnings: {
    kind: "whole",
    default: 5,
    min: 0,
    max: 50,
    help: "how many learnings a snapshot may hold, the most relevant ones",
  },
  mode: {
    kind: "choice",
    default: "auto",
    choices: ["auto", "full", "complement"],
    help: "complement leaves the identity out; auto does so where PAI_DIR is set, since PAI tells it itself",
  },
  extraction: {
    kind: "choice",
    default: "on",
    choices: ["on", "off"],
    help: "whether what you say about how you want to work becomes proposals, when a session rests or ends",
  },
} as const satisfies Schema;

/** The file that was named, else the one that the settings name, else `~/.pai/seed.json`. */
export function resolveSeedPath(seedPath?: string, env: NodeJS.ProcessEnv = process.env): string {
  if (seedPath !== undefined && seedPath !== "") return expand(seedPath, env);
  const sources = [{ name: "seed", settings: SEED_SETTINGS }];
  const { config } = loadConfig(findHome(env).config, sources, env);
  return seedPathOf(config.sources["seed"] ?? {}, env) ?? join(userHome(env), ".pai", "seed.json");
}

/** Undefined where nothing says whose seed it could be. */
export function seedPathOf(settings: Values, env: NodeJS.ProcessEnv): string | undefined {
  const own = settings["path"];
  if (typeof own === "string" && own !== "") return expand(own, env);
  const home = env["HOME"] || env["USERPROFILE"];
  return home ? join(home, ".pai", "seed.json") : undefined;
}

function expand(path: string, env: NodeJS.ProcessEnv): string {
  return /^~(?=$|[\\/])/.test(path) ? join(userHome(env), path.slice(1)) : resolve(path);
}
