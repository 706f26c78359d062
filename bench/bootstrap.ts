/** Confidence intervals by resampling the questions. The seed is fixed: the same figures give the same intervals. */
const RESAMPLES = 2000;
const SEED = 1;

export interface Interval {
  readonly mean: number;
  /** 95% of the resamples are between these. */
  readonly low: number;
  readonly high: number;
}

/** Of the mean of a value per question. */
export function intervalOf(values: readonly number[]): Interval {
  return pooledInterval([values]);
}

/** Of the mean of the means of several rows, each resampled on its own. */
export function pooledInterval(rows: readonly (readonly number[])[]): Interval {
  const random = generator(SEED);
  const means = Array.from({ length: RESAMPLES }, () => mean(rows.map((row) => resampledMean(row, random))));
  means.sort((a, b) => a - b);
  return {
    mean: mean(rows.map(mean)),
    low: means[Math.floor(0.025 * RESAMPLES)] ?? Number.NaN,
    high: means[Math.floor(0.975 * RESAMPLES)] ?? Number.NaN,
  };
}

/** What the first has more than the second, question by question. */
export function differences(first: readonly number[], second: readonly number[]): number[] {
  if (first.length !== second.length) throw new Error("the values are of different questions");
  return first.map((one, i) => one - (second[i] ?? Number.NaN));
}

/** `.553 (.50–.61)` */
export function shown({ mean, low, high }: Interval): string {
  return `${fixed(mean)} (${fixed(low, 2)}–${fixed(high, 2)})`;
}

/** `+.012 (−.003 to +.027)` */
export function shownDifference({ mean, low, high }: Interval): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);

function resampledMean(values: readonly number[], random: () => number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0;
  return sum / Math.max(1, values.length);
}

const fixed = (value: number, digits = 3): string => value.toFixed(digits).replace(/^(-?)0\./, "$1.");
const signed = (value: number): string => (value < 0 ? "−" : "+") + fixed(Math.abs(value));

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
