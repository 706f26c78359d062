/** `npm run bench -- tools`: the tokens of Continuo's tools in a request of each host. See docs/design/benchmarks.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { offeredTools } from "../../src/moments/offers/offered-tools.ts";
import { loadOffers } from "../../src/moments/offers/offers.ts";
import type { ToolPlace } from "../../src/moments/ports/tool.ts";
import { MODULES } from "../../src/sources/index.ts";
import { homeAt } from "../../src/store/home.ts";
import { HOST_FORMS, tokensOf } from "./as-sent.ts";

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-tools-"));
  try {
    const { tools } = await loadOffers(MODULES);
    const empty = homeAt(join(folder, "empty"));
    const used = homeAt(join(folder, "used"));
    for (const name of ["memory", "cache"]) mkdirSync(join(used.root, name), { recursive: true });
    writeFileSync(join(used.root, "memory", "a.md"), "# A\n");
    writeFileSync(join(used.root, "cache", "past-sessions"), "");
    console.info("| host | without notes and sessions | with both | all tools |\n|---|---|---|---|");
    for (const { host, sent, defers, namesSession } of HOST_FORMS) {
      const cost = async (home: ToolPlace["home"]) => {
        const env = { HOME: folder };
        const place = { home, env, cwd: folder, now: 0, history: async () => new Map(), namesSession };
        const options = { defers, onFailure: (where: string) => console.error(where) };
        const offered = await offeredTools(tools, place, options);
        return `${tokensOf(sent(offered))} (${offered.length})`;
      };
      const all = `${tokensOf(sent(tools.map((tool) => ({ ...tool, need: "often" as const }))))} (${tools.length})`;
      console.info(`| ${host} | ${await cost(empty)} | ${await cost(used)} | ${all} |`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
