import type { Schema } from "../../base/settings.ts";
import { MODEL_SETTINGS } from "../../models/model-settings.ts";
import { loadSourceSettings } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";

export const SESSIONS_SETTINGS = {
  index: {
    kind: "switch",
    default: true,
    help: "false: nothing is indexed, or described by a model, unless a command is typed or query_session is called",
  },
  keep: {
    kind: "switch",
    default: true,
    help: "false takes sessions out of the index when their host has deleted them",
  },
  references: {
    kind: "switch",
    default: true,
    help: "false: @@name in a prompt means nothing",
  },
  referenceTokens: {
    kind: "whole",
    default: 1000,
    min: 100,
    max: 20_000,
    help: "upper bound of tokens for all sessions that one prompt refers to",
  },
  callsPerTurn: {
    kind: "whole",
    default: 3,
    min: 1,
    max: 20,
    help: "how often the model may ask past sessions between two prompts",
  },
  modelRecords: {
    kind: "switch",
    default: true,
    help: "with modelKeys: false leaves records in the session's own words until somebody asks for better ones",
  },
  modelAnswers: {
    kind: "switch",
    default: true,
    help: "with modelKeys: false keeps query_session to quotes",
  },
  answerMaxBytes: {
    kind: "whole",
    default: 100_000,
    min: 2_000,
    max: 2_000_000,
    help: "how many bytes of a session's words a model is given for one answer",
  },
  answerTimeoutMs: {
    kind: "whole",
    default: 45_000,
    min: 100,
    max: 100_000,
    help: "how long query_session waits for a model altogether, before it answers with quotes",
  },
  minNewUserMessages: {
    kind: "whole",
    default: 5,
    min: 1,
    max: 1000,
    help: "how many prompts after the last record make a new one by a model worth its price",
  },
  ...MODEL_SETTINGS,
} as const satisfies Schema;

/** For whoever is not handed the settings by the engine: tools, resources and the command line. */
export function sessionsSettings(home: Home, env: NodeJS.ProcessEnv) {
  return loadSourceSettings(home.config, "sessions", SESSIONS_SETTINGS, env);
}
