const DAY_MS = 86_400_000;

export interface DecaySettings {
  readonly graceDays: { readonly sequential: number; readonly workflows: number; readonly other: number };
  readonly halfLifeDays: number;
  readonly shape: "power-law" | "exponential";
}

export const DEFAULT_DECAY: DecaySettings = {
  graceDays: { sequential: 7, workflows: 14, other: 28 },
  halfLifeDays: 30,
  shape: "power-law",
};

/** What a note's age does to its weight: 1 while it is fresh, and less and less after. Never 0: old is not wrong. */
export function decayWeight(
  note: { readonly uri: string; readonly at: number },
  now: number,
  settings: DecaySettings = DEFAULT_DECAY,
): number {
  const days = Math.floor((now - note.at) / DAY_MS) - graceOf(note.uri, settings);
  if (days <= 0) return 1;
  return settings.shape === "exponential" ? 0.5 ** (days / settings.halfLifeDays) : Math.min(1, days ** -0.5);
}

function graceOf(uri: string, { graceDays }: DecaySettings): number {
  if (uri.includes("thinking/sequential")) return graceDays.sequential;
  // The folder is called `workflow`; the program that makes it looks for `workflows`.
  if (/thinking\/workflows?\//.test(uri)) return graceDays.workflows;
  return graceDays.other;
}

/** The variables of the program whose notes these are. What is no number is left at its default. */
export function decaySettings(env: NodeJS.ProcessEnv): DecaySettings {
  const days = (name: string, fallback: number) => {
    const value = Number(env[`MAENIFOLD_DECAY_${name}`] || Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  const { graceDays, halfLifeDays, shape } = DEFAULT_DECAY;
  return {
    graceDays: {
      sequential: days("GRACE_DAYS_SEQUENTIAL", graceDays.sequential),
      workflows: days("GRACE_DAYS_WORKFLOWS", graceDays.workflows),
      other: days("GRACE_DAYS_DEFAULT", graceDays.other),
    },
    halfLifeDays: days("HALF_LIFE_DAYS", halfLifeDays) || halfLifeDays,
    shape: env["MAENIFOLD_DECAY_FUNCTION"] === "exponential" ? "exponential" : shape,
  };
}
