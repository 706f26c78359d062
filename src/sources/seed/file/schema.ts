import { LEARNING_TYPES, METHODS, PROPOSAL_STATES, RESPONSE_STYLES, type SeedConfig } from "../types.ts";
import {
  type Check,
  fault,
  finite,
  flag,
  list,
  oneOf,
  pattern,
  type SeedError,
  shape,
  text,
  timestamp,
  whole,
} from "./checks.ts";

const MAJOR = 1;

const versionText = pattern(/^\d+\.\d+\.\d+$/, "three numbers, such as 1.0.0");

const version: Check = (value) => {
  const wrong = versionText(value);
  if (wrong !== undefined) return wrong;
  return Number.parseInt(String(value), 10) === MAJOR
    ? undefined
    : fault("version_mismatch", `is ${String(value)}; this program knows ${MAJOR}.x`);
};

const identity = shape({
  principalName: text({ min: 1 }),
  aiName: text({ min: 1 }),
  catchphrase: text({ min: 1 }),
  voiceId: text(),
  preferences: shape({ responseStyle: oneOf(RESPONSE_STYLES), timezone: text(), locale: text() }),
});

const learnings = list(
  shape(
    {
      id: text(),
      content: text({ min: 1 }),
      source: text({ min: 1 }),
      extractedAt: timestamp,
      confirmedAt: timestamp,
      confirmed: flag,
      tags: list(text()),
    },
    ["confirmedAt"],
  ),
);

const learned = shape({ patterns: learnings, insights: learnings, selfKnowledge: learnings });

const proposal = shape(
  {
    id: text(),
    type: oneOf(LEARNING_TYPES),
    content: text({ min: 1 }),
    source: text({ min: 1 }),
    extractedAt: timestamp,
    status: oneOf(PROPOSAL_STATES),
    method: oneOf(METHODS),
    confidence: finite,
    decidedAt: timestamp,
  },
  ["method", "confidence", "decidedAt"],
);

const counts = shape({ accepted: whole, rejected: whole });
const sums = shape({ accepted: finite, rejected: finite });

const extractionStats = shape({
  accepted: whole,
  rejected: whole,
  byType: shape({ pattern: counts, insight: counts, self_knowledge: counts }),
  confidenceSum: sums,
  confidenceCount: counts,
});

const state = shape(
  {
    lastSessionId: text(),
    lastSessionAt: timestamp,
    proposals: list(proposal),
    activeProjects: list(text()),
    checkpointRef: text(),
    extractionStats,
  },
  ["lastSessionId", "lastSessionAt", "checkpointRef", "extractionStats"],
);

const seed = shape({ version, identity, learned, state });

export type Validation =
  | { readonly ok: true; readonly config: SeedConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly SeedError[] };

/** Checks every field. The value itself comes back, so whatever else it holds, in whatever order, is still there. */
export function validateSeed(value: unknown): Validation {
  const errors = seed(value);
  if (errors !== undefined) {
    return { ok: false, errors: errors.map((error) => ({ ...error, path: `$${error.path}` })) };
  }
  const config = value as SeedConfig;
  const unknown = Object.keys(config).filter((key) => !KNOWN_KEYS.includes(key));
  return {
    ok: true,
    config,
    warnings: unknown.map((key) => `Unknown top-level key: "${key}" (may be from a newer schema version)`),
  };
}

const KNOWN_KEYS = ["version", "identity", "learned", "state"];
