import type { Schema } from "../../base/settings.ts";
import { MODEL_SETTINGS } from "../../models/model-settings.ts";
import { loadSourceSettings } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";

export const SESSIONS_SETTINGS = {
  index: {
    kind: "switch",
    default: true,
    help: "false: nothing is indexed or summarised by a model, except by a command or a call of query_session",
  },
  keep: {
    kind: "switch",
    default: true,
    help: "false: remove sessions from the index when their agent has deleted them",
  },
  meaning: {
    kind: "switch",
    default: true,
    help: "false: past sessions are found by words alone",
  },
  lastSessions: {
    kind: "whole",
    default: 3,
    min: 0,
    max: 3,
    help: "how many of the project's last sessions are described in a new session; 0: none",
  },
  references: {
    kind: "switch",
    default: true,
    help: "false: ignore @@name in prompts",
  },
  referenceTokens: {
    kind: "whole",
    default: 1000,
    min: 100,
    max: 20_000,
    help: "maximum tokens for all sessions referred to in one prompt",
  },
  callsPerTurn: {
    kind: "whole",
    default: 3,
    min: 1,
    max: 20,
    help: "how many times the model may query past sessions between two prompts",
  },
  modelRecords: {
    kind: "switch",
    default: true,
    help: "with modelKeys: false: a model writes summaries only when a command asks",
  },
  modelAnswers: {
    kind: "switch",
    default: true,
    help: "with modelKeys: false: query_session answers with quotes only",
  },
  answerMaxBytes: {
    kind: "whole",
    default: 100_000,
    min: 2_000,
    max: 2_000_000,
    help: "how many bytes of a session a model receives for one answer",
  },
  answerTimeoutMs: {
    kind: "whole",
    default: 45_000,
    min: 100,
    max: 100_000,
    help: "how long query_session waits for a model in total before it answers with quotes",
  },
  minNewUserMessages: {
    kind: "whole",
    default: 5,
    min: 1,
    max: 1000,
    help: "how many new prompts since the last summary are needed before a model writes a new one",
  },
  ...MODEL_SETTINGS,
} as const satisfies Schema;

/** For code that does not receive the settings from the engine: tools, resources and the command line. */
export function sessionsSettings(home: Home, env: NodeJS.ProcessEnv) {
  return loadSourceSettings(home.config, "sessions", SESSIONS_SETTINGS, env);
}
