import { isRecord } from "../../../base/json.ts";
import {
  LEARNING_TYPES,
  METHODS,
  PROPOSAL_STATES,
  type Proposal,
  RESPONSE_STYLES,
  type SeedConfig,
} from "../types.ts";
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

/** The structure of a seed file: its fields, their defaults and the order of their keys. */

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

export function isProposal(value: unknown): value is Proposal {
  return proposal(value) === undefined;
}

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

type Validation =
  | { readonly ok: true; readonly config: SeedConfig; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly SeedError[] };

/** Checks every field. Returns the value itself, so that unknown keys and the order of keys are kept. */
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

const CURRENT_VERSION = "1.0.0";

/** The default name. A seed with this name is not set up. */
export const UNSET_NAME = "User";

/** The assistant's default name. The format requires a name; this one means that the user gave none. */
export const UNSET_AI_NAME = "PAI";

export function defaultSeed(): SeedConfig {
  return {
    version: CURRENT_VERSION,
    identity: {
      principalName: UNSET_NAME,
      aiName: UNSET_AI_NAME,
      catchphrase: catchphraseOf(UNSET_AI_NAME),
      voiceId: "default",
      preferences: { responseStyle: "adaptive", timezone: "UTC", locale: "en-US" },
    },
    learned: { patterns: [], insights: [], selfKnowledge: [] },
    state: { proposals: [], activeProjects: [] },
  };
}

/** What other programs for this format derive if the user gave none. */
export function catchphraseOf(aiName: string): string {
  return `${aiName} here, ready to go.`;
}

export function isCatchphraseSet({ aiName, catchphrase }: SeedConfig["identity"]): boolean {
  return catchphrase !== catchphraseOf(aiName) && catchphrase !== catchphraseOf(UNSET_AI_NAME);
}

/**
 * Adds what is missing and keeps what exists, including empty lists. A value that is not an object is left to
 * validation.
 */
export function withDefaults(value: unknown): unknown {
  return fill(value, defaultSeed());
}

function fill(value: unknown, defaults: object): unknown {
  if (!isRecord(value)) return value;
  let filled = value;
  for (const [key, standard] of Object.entries(defaults)) {
    const held = value[key];
    const wanted = held === undefined ? standard : isRecord(standard) ? fill(held, standard) : held;
    if (wanted !== held) filled = { ...filled, [key]: wanted };
  }
  return filled;
}

/**
 * Sets a key in an object that another program writes too, with a fixed order of keys. An existing key keeps its
 * position; a new one is inserted where that program would put it, so that it need not rewrite the file.
 */
export function setKey<T extends object, K extends keyof T & string>(
  object: T,
  key: K,
  value: NonNullable<T[K]>,
  order: readonly string[],
): T {
  if (Object.hasOwn(object, key)) return { ...object, [key]: value };
  const later = new Set(order.slice(order.indexOf(key) + 1));
  const entries = Object.entries(object);
  const before = entries.findIndex(([name]) => later.has(name));
  entries.splice(before === -1 ? entries.length : before, 0, [key, value]);
  return Object.fromEntries(entries) as T;
}

export const STATE_KEYS = [
  "lastSessionId",
  "lastSessionAt",
  "proposals",
  "activeProjects",
  "checkpointRef",
  "extractionStats",
];
export const LEARNING_KEYS = ["id", "content", "source", "extractedAt", "confirmedAt", "confirmed", "tags"];
export const PROPOSAL_KEYS = [
  "id",
  "type",
  "content",
  "source",
  "extractedAt",
  "status",
  "method",
  "confidence",
  "decidedAt",
];
