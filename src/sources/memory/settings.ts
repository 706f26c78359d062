import { type Schema, typed, type Values } from "../../base/settings.ts";
import { SEMANTIC_SETTINGS } from "../../models/semantic-settings.ts";
import { loadSourceSettings } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";
import type { RootSettings } from "./notes/roots.ts";

/** Every setting of memory; see docs/session-start.md. `MAENIFOLD_ROOT` is read where roots are found. */
export const MEMORY_SETTINGS = {
  root: {
    kind: "text",
    default: "",
    help: "the folder of notes, or a maenifold folder; empty: ~/maenifold if it is there, else our own",
  },
  also: { kind: "texts", default: [], help: "folders of other programs that are read as well, by full path" },
  sessionStart: {
    kind: "switch",
    default: true,
    env: "SESSION_START_ENABLED",
    help: "false: nothing of the notes is told when a session starts",
  },
  startText: {
    kind: "choice",
    default: "pointers",
    choices: ["pointers", "full"],
    help: "what a session start tells: a few handles, or all that was found up to tokenLimit",
  },
  startTokens: {
    kind: "whole",
    default: 4000,
    min: 0,
    max: 100_000,
    env: "TOKEN_LIMIT",
    help: "upper bound of tokens of the full text; pointers have a much lower one of their own",
  },
  additions: {
    kind: "switch",
    default: true,
    help: "false: no notes are added to prompts",
  },
  command: {
    kind: "text",
    default: "",
    help: "a program that answers --tool NAME --payload JSON and is asked instead of our own index",
  },
  commandTimeoutMs: {
    kind: "whole",
    default: 5000,
    min: 100,
    max: 30_000,
    env: "CLI_TIMEOUT",
    help: "a call of that program that takes longer is given up",
  },
  ...SEMANTIC_SETTINGS,
} as const satisfies Schema;

/** For whoever is not handed the settings by the engine: tools, resources and the command line. */
export function memorySettings(home: Home, env: NodeJS.ProcessEnv) {
  return loadSourceSettings(home.config, "memory", MEMORY_SETTINGS, env);
}

export function rootSettings(settings: Values): RootSettings {
  const { root, also } = typed(MEMORY_SETTINGS, settings);
  return { root: root || undefined, also };
}
