import { loadavg } from "node:os";
import { machine } from "../measure.ts";
import { createStores, type Stores } from "./stores.ts";

/** In the order of the targets. Each prints Markdown tables as they are in docs/design/benchmarks.md. */
const TABLES: Readonly<Record<string, () => Promise<(stores: Stores) => Promise<void>>>> = {
  "tool-calls": async () => (await import("./tool-calls.ts")).measureToolCalls,
  "turns-claude-code": async () => (await import("./turns.ts")).turnsIn("claudeCode"),
  "turns-opencode": async () => (await import("./turns.ts")).turnsIn("opencode"),
  "turns-pi": async () => (await import("./turns.ts")).turnsIn("pi"),
  hooks: async () => (await import("./hooks.ts")).measureHooks,
  burst: async () => (await import("./burst.ts")).measureBursts,
  moments: async () => (await import("./moments.ts")).measureMoments,
  server: async () => (await import("./server.ts")).measureServer,
  "claude-mem": async () => (await import("./claude-mem/claude-mem.ts")).measureClaudeMem,
  socket: async () => (await import("./socket/socket.ts")).measureSocket,
};

/**
 * `npm run bench -- resident [TABLE…]`: what Continuo costs a host, with hook processes and inside living ones. BEFORE names
 * another build's `continuo.cjs` to compare with; ROUNDS replaces the usual number of rounds.
 */
export async function run(): Promise<void> {
  const wanted = process.argv.slice(3);
  const unknown = wanted.filter((name) => TABLES[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`no table ${unknown.join(", ")}; there are: ${Object.keys(TABLES).join(", ")}`);
  const stores = createStores();
  try {
    const load = loadavg()[0]?.toFixed(1) ?? "unknown";
    console.log(`Machine: ${machine()}. Load before: ${load}.\n`);
    for (const name of wanted.length > 0 ? wanted : Object.keys(TABLES)) {
      const begun = performance.now();
      await (await TABLES[name]?.())?.(stores);
      console.error(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
  } finally {
    stores.remove();
  }
}
