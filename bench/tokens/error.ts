/** Prints the error of countTokens against o200k on held-out text, next to the usual characters / 4. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { countTokens } from "../../src/compose/tokens.ts";
import { chunks, type Doc, documents, groupBy } from "./corpus.ts";

interface Measured {
  kind: string;
  size: number;
  tokens: number;
  estimate: number;
  quarter: number;
}

const DOCS_PER_KIND = 40;

function measure(kind: string, size: number, text: string): Measured {
  return { kind, size, tokens: encode(text).length, estimate: countTokens(text), quarter: text.length / 4 };
}

const percent = (share: number): string => (100 * share).toFixed(1).padStart(7);
const mean = (xs: number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;

function row(name: string, items: Measured[]): string {
  const errors = items.map((m) => m.estimate / m.tokens - 1);
  const quarters = items.map((m) => m.quarter / m.tokens - 1);
  return [
    name.padEnd(14),
    String(items.length).padStart(6),
    percent(mean(errors.map(Math.abs))),
    percent(mean(errors)),
    percent(mean(errors.map((e) => (e < -0.05 ? 1 : 0)))),
    percent(mean(errors.map((e) => (e < -0.1 ? 1 : 0)))),
    percent(mean(quarters.map(Math.abs))),
    percent(mean(quarters)),
  ].join("");
}

/** Error of the total over whole held-out files of a kind: what a budget filled from many texts would see. */
function totalRow(kind: string, docs: Doc[]): string {
  const items = docs.slice(0, DOCS_PER_KIND).map((d) => measure(kind, 0, d.text));
  const sum = (of: (m: Measured) => number): number => items.reduce((s, m) => s + of(m), 0);
  const total = sum((m) => m.tokens);
  return [
    kind.padEnd(14),
    String(items.length).padStart(6),
    String(total).padStart(9),
    percent(sum((m) => m.estimate) / total - 1),
    percent(sum((m) => m.quarter) / total - 1),
  ].join("");
}

/** Microseconds of processor time for 1,024 characters, once the code is warm. */
function speed(texts: string[]): number {
  const run = (): void => {
    for (const text of texts) countTokens(text);
  };
  run();
  run();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1024) / texts.reduce((sum, t) => sum + t.length, 0);
}

export async function run(): Promise<void> {
  const docs = documents();
  if (!docs) {
    console.log("tokens: no bench data here (set CONTINUO_BENCH_DATA); skipped");
    return;
  }
  const held = chunks(docs).filter((c) => c.held);
  const measured = held.map((c) => measure(c.kind, c.size, c.text));
  console.log(
    "countTokens against o200k; bench data, node_modules and CONTINUO_TOKEN_TEXT; chunks of the 40 % of",
  );
  console.log(
    "files held out from the fit; unit: chunk, equally many per kind; all figures but n in percent",
  );
  if (!process.env["CONTINUO_TOKEN_TEXT"]) {
    console.log("CONTINUO_TOKEN_TEXT is not set: no diffs, logs or languages other than English here");
  }
  const head = "n   MAPE   bias   <-5%  <-10%   /4 MAPE bias";
  console.log(`\n${"kind".padEnd(19)}${head}`);
  for (const [kind, items] of groupBy(measured, (m) => m.kind)) console.log(row(kind, items));
  for (const [size, items] of groupBy(measured, (m) => String(m.size)))
    console.log(row(`${size} chars`, items));
  console.log(row("all", measured));

  console.log("\nwhole files    n   tokens  total      /4");
  const heldDocs = docs.filter((d) => d.held);
  for (const [kind, ofKind] of groupBy(heldDocs, (d) => d.kind)) console.log(totalRow(kind, ofKind));
  console.log(`\n${speed(held.map((c) => c.text)).toFixed(1)} us per KB (processor time, warm)`);
}

if (import.meta.main) await run();
