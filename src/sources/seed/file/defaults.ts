import { isRecord } from "../../../base/settings.ts";
import type { SeedConfig } from "../types.ts";

export const CURRENT_VERSION = "1.0.0";

/** The name that nobody chose: a seed that still has it is not set up. */
export const NOBODY = "User";

export function defaultSeed(): SeedConfig {
  return {
    version: CURRENT_VERSION,
    identity: {
      principalName: NOBODY,
      aiName: "PAI",
      catchphrase: catchphraseOf("PAI"),
      voiceId: "default",
      preferences: { responseStyle: "adaptive", timezone: "UTC", locale: "en-US" },
    },
    learned: { patterns: [], insights: [], selfKnowledge: [] },
    state: { proposals: [], activeProjects: [] },
  };
}

export function catchphraseOf(aiName: string): string {
  return `${aiName} here, ready to go.`;
}

/** Fills what is missing; what is there wins, also an empty list. A value that is no object is left for validation. */
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
