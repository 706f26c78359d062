import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { openMeaning } from "../../src/search/meaning/embed.ts";
import { locateMeaning } from "../../src/search/meaning/table.ts";
import { termsOf } from "../../src/search/words.ts";
import { machine, printTable, quantiles } from "../measure.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 60);
const ROOT = join(import.meta.dirname, "..", "..");
const PASSAGES = 15_000;
const PASSAGE = 1500;
const QUERY =
  "why does the deployment roll back when our health check times out after the database migration has finished today";

/** What the table of meaning costs: a query in a new process, and passages while indexing. */
export async function run(): Promise<void> {
  console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.\n`);
  await cold();
  indexing();
}

const CASES = ["empty process", "code loaded", "and a query of 20 words"];

/** As in a hook: bundled as CommonJS, with Node's cache of compiled code. */
async function cold(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  try {
    await build({
      entryPoints: [join(ROOT, "src/search/meaning/embed.ts")],
      outfile: join(folder, "embed.cjs"),
      bundle: true,
      minify: true,
      platform: "node",
      format: "cjs",
      define: { "import.meta.dirname": "__dirname" },
    });
    const start = `require("node:module").enableCompileCache(${JSON.stringify(join(folder, "compiled"))});`;
    const load = `${start} const { openMeaning } = require("./embed.cjs");`;
    const lookup = `${load} const begun = process.hrtime.bigint();
      openMeaning(${JSON.stringify(locateMeaning())}).embed(${JSON.stringify(QUERY)});
      process.stdout.write(String(process.hrtime.bigint() - begun));`;
    const scripts = [start, load, lookup].map((code, i) => {
      writeFileSync(join(folder, `${i}.cjs`), code);
      return join(folder, `${i}.cjs`);
    });
    const times = scripts.map(() => [] as number[]);
    const inside: number[] = [];
    for (let round = -3; round < ROUNDS; round++) {
      for (const [i, script] of scripts.entries()) {
        const begun = performance.now();
        const { stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
        if (round < 0) continue;
        times[i]?.push(performance.now() - begun);
        if (i === 2) inside.push(Number(stdout) / 1e6);
      }
    }
    const bare = quantiles(times[0] ?? [], [0.5])[0] ?? Number.NaN;
    printTable(
      ["new process", "p25 ms", "p50 ms", "p95 ms", "p50 / empty"],
      CASES.map((name, i) => {
        const [p25 = 0, p50 = 0, p95 = 0] = quantiles(times[i] ?? [], [0.25, 0.5, 0.95]);
        return [name, p25.toFixed(1), p50.toFixed(1), p95.toFixed(1), (p50 / bare).toFixed(2)];
      }),
    );
    printTable(
      ["inside the process", "p5 ms", "p25", "p50", "p75", "p95", "target"],
      [
        [
          "opening and the query",
          ...quantiles(inside, [0.05, 0.25, 0.5, 0.75, 0.95]).map((time) => time.toFixed(2)),
          "3",
        ],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time to embed passages, compared with splitting the same text into terms, which indexing does anyway. */
function indexing(): void {
  const texts = globSync("{src,docs,test}/**/*.{ts,md}", { cwd: ROOT }).sort();
  const text = texts.map((path) => readFileSync(join(ROOT, path), "utf8")).join("\n");
  const whole = text.repeat(Math.ceil((PASSAGES * PASSAGE) / text.length));
  const passages = Array.from({ length: PASSAGES }, (_, i) => whole.slice(i * PASSAGE, (i + 1) * PASSAGE));
  const megabytes = passages.reduce((sum, passage) => sum + Buffer.byteLength(passage), 0) / 1e6;
  const tasks = {
    "split into terms": () => passages.reduce((sum, passage) => sum + termsOf(passage).length, 0),
    "embedded, opening included": () => {
      const meaning = openMeaning();
      for (const passage of passages) meaning.embed(passage);
      meaning.close();
    },
  };
  const costs = Object.entries(tasks).map(([name, act]) => ({ name, act, times: [] as number[] }));
  for (let round = 0; round < 7; round++)
    for (const { act, times } of costs) {
      const begun = process.cpuUsage();
      act();
      const { user, system } = process.cpuUsage(begun);
      times.push((user + system) / 1e6);
    }
  const median = (times: readonly number[]) => quantiles(times, [0.5])[0] ?? Number.NaN;
  const terms = median(costs[0]?.times ?? []);
  printTable(
    [`${PASSAGES} passages, ${megabytes.toFixed(0)} MB`, "processor s, least to most", "MB per s", "/ terms"],
    costs.map(({ name, times }) => [
      name,
      `${median(times).toFixed(2)} (${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)})`,
      (megabytes / median(times)).toFixed(0),
      (median(times) / terms).toFixed(2),
    ]),
  );
}
