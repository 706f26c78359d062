import { type Schema, typed, type Values } from "../../base/settings.ts";
import { SEMANTIC_SETTINGS } from "../../models/semantic-settings.ts";
import { loadSourceSettings } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";
import type { RootSettings } from "./files/roots.ts";

/** All settings of notes; see docs/design/notes.md. `MAENIFOLD_ROOT` is read in `findRoots`. */
export const MEMORY_SETTINGS = {
  root: {
    kind: "text",
    default: "",
    help: "the folder of notes, or a maenifold folder; empty: ~/maenifold if it exists, else Continuo's own folder",
  },
  also: { kind: "texts", default: [], help: "full paths of folders of other programs that are also read" },
  sessionStart: {
    kind: "switch",
    default: true,
    env: "SESSION_START_ENABLED",
    help: "false: a session starts without anything from the notes",
  },
  startText: {
    kind: "choice",
    default: "pointers",
    choices: ["pointers", "full"],
    help: "what a session starts with: a short list of notes, or everything found, up to startTokens",
  },
  startTokens: {
    kind: "whole",
    default: 4000,
    min: 0,
    max: 100_000,
    env: "TOKEN_LIMIT",
    help: "token limit of the full text; pointers have their own, much lower limit",
  },
  additions: {
    kind: "switch",
    default: true,
    help: "false: no notes are added to prompts",
  },
  command: {
    kind: "text",
    default: "",
    help: "a program that answers --tool NAME --payload JSON and is used instead of Continuo's index",
  },
  commandTimeoutMs: {
    kind: "whole",
    default: 5000,
    min: 100,
    max: 30_000,
    env: "CLI_TIMEOUT",
    help: "how long a call of that program may take",
  },
  ...SEMANTIC_SETTINGS,
} as const satisfies Schema;

/** For code that does not receive the settings from the engine: tools, resources and the command line. */
export function memorySettings(home: Home, env: NodeJS.ProcessEnv) {
  return loadSourceSettings(home.config, "memory", MEMORY_SETTINGS, env);
}

export function rootSettings(settings: Values): RootSettings {
  const { root, also } = typed(MEMORY_SETTINGS, settings);
  return { root: root || undefined, also };
}
