/**
 * Fits TOKEN_WEIGHTS of src/compose/tokens.ts and prints them: node bench/tokens/fit.ts
 *
 * Minimises the mean absolute relative error over the train chunks by reweighted non-negative least squares.
 * An under-estimate counts twice, because the estimate guards a budget.
 */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { TOKEN_WEIGHTS, tokenFeatures } from "../../src/compose/tokens.ts";
import { chunks, documents } from "./corpus.ts";

const UNDER_PENALTY = 2;
const ROUNDS = 40;
/** Below this relative error the absolute loss is treated as squared, or weights would run to infinity. */
const FLAT = 0.01;

/** Not fitted: too rare in the corpus for a stable value, yet it decides texts full of emoji. */
const PINNED: Partial<Record<string, number>> = { wideTail: 1 };

type Pinned = (number | undefined)[];

interface Row {
  counts: number[];
  tokens: number;
}

/** Coordinate descent on the normal equations of min sum w (counts.beta - tokens)^2 with beta >= 0. */
function nonNegativeLeastSquares(rows: Row[], weights: number[], pinned: Pinned): number[] {
  const size = rows[0]!.counts.length;
  const gram = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const target = new Array<number>(size).fill(0);
  rows.forEach(({ counts, tokens }, r) => {
    for (let j = 0; j < size; j++) {
      const wx = weights[r]! * counts[j]!;
      if (wx === 0) continue;
      target[j]! += wx * tokens;
      for (let k = 0; k < size; k++) gram[j]![k]! += wx * counts[k]!;
    }
  });
  const beta = Array.from({ length: size }, (_, j) => pinned[j] ?? 0);
  for (let pass = 0, moved = 1; pass < 5000 && moved > 1e-7; pass++) {
    moved = 0;
    for (let j = 0; j < size; j++) {
      if (gram[j]![j] === 0 || pinned[j] !== undefined) continue;
      const gradient = gram[j]!.reduce((sum, g, k) => sum - g * beta[k]!, target[j]!);
      const next = Math.max(0, beta[j]! + gradient / gram[j]![j]!);
      moved = Math.max(moved, Math.abs(next - beta[j]!));
      beta[j] = next;
    }
  }
  return beta;
}

function fitWeights(rows: Row[], pinned: Pinned): number[] {
  let weights = rows.map(({ tokens }) => tokens ** -2);
  let beta: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    beta = nonNegativeLeastSquares(rows, weights, pinned);
    weights = rows.map(({ counts, tokens }) => {
      const error = counts.reduce((sum, x, j) => sum + x * beta[j]!, -tokens) / tokens;
      return (error < 0 ? UNDER_PENALTY : 1) / (tokens ** 2 * Math.max(Math.abs(error), FLAT));
    });
  }
  return beta;
}

const docs = documents();
if (!docs) {
  console.log("tokens: no bench data here (set CONTINUO_BENCH_DATA); skipped");
} else {
  const train = chunks(docs).filter((c) => !c.held);
  const names = Object.keys(TOKEN_WEIGHTS) as (keyof typeof TOKEN_WEIGHTS)[];
  const rows = train.map(({ text }) => {
    const counted = tokenFeatures(text);
    return { counts: names.map((name) => counted[name]), tokens: encode(text).length };
  });
  const kinds = [...new Set(train.map((c) => c.kind))];
  console.log(`${rows.length} train chunks of ${kinds.length} kinds: ${kinds.join(" ")}`);
  const beta = fitWeights(
    rows,
    names.map((name) => PINNED[name]),
  );
  names.forEach((name, j) => {
    console.log(`  ${name}: ${Number(beta[j]!.toFixed(3))},`);
  });
}
