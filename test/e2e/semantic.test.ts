import { exec } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { hasLocalModel, installCommand } from "../../src/models/local-embedder.ts";
import { ROOT } from "../support/child.ts";
import { cacheRoot, orSkipReason } from "../support/packages.ts";
import { installRuntime, runOn, runtimes } from "../support/runtimes.ts";
import { temporaryFolder } from "../support/world.ts";

/** Installs the model as documented for users. */
async function modelFolder(): Promise<string> {
  const folder = join(cacheRoot(), "embedding-model");
  if (!hasLocalModel(folder)) await promisify(exec)(installCommand(folder), { timeout: 280_000 });
  return folder;
}

async function bundled(contents: string): Promise<string> {
  const outfile = join(temporaryFolder(), "child.cjs");
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["node:sqlite", "bun:sqlite"],
    outfile,
  });
  return outfile;
}

describe.each(runtimes)("semantic search on $kind $version", (runtime) => {
  it("compares vectors with SIMD, exactly as plain JavaScript does", async ({ skip }) => {
    const installed = await installRuntime(runtime);
    if ("skip" in installed) return skip(installed.skip);
    const script = await bundled(`
      import { createKernel, plainKernel } from "./src/sources/notes/vectors/vector-set.ts";
      const shape = { rows: 7, dimensions: 384 };
      const query = Int8Array.from({ length: 384 }, (_, i) => (i * 37) % 255 - 127);
      const results = [createKernel(shape), plainKernel(shape)].map((kernel) => {
        for (let slot = 0; slot < 50; slot++) kernel.slot(slot).forEach((_, i, all) => { all[i] = (i * 11 + slot) % 256; });
        return kernel.kind + " " + [0, 49].map((slot) => [...kernel.dots(query, slot, 7)].join());
      });
      console.log(JSON.stringify(results));
    `);
    const { stdout, stderr } = await runOn(installed.program, [script]);
    const [simd = "", plain = ""] = JSON.parse(stdout || JSON.stringify([stderr])) as string[];
    expect(simd).toMatch(/^simd -?\d+/);
    expect(simd.replace("simd", "plain")).toBe(plain);
  });

  it("embeds with the local model, and finds a note that shares no word with the query", async ({ skip }) => {
    const [installed, model] = await Promise.all([installRuntime(runtime), orSkipReason(modelFolder())]);
    if ("skip" in installed) return skip(installed.skip);
    if (typeof model !== "string") return skip(model.skip);
    const script = await bundled(`
      import { localEmbedder } from "./src/models/local-embedder.ts";
      import { search } from "./src/sources/notes/search/search.ts";
      import { semanticRanker } from "./src/sources/notes/vectors/semantic-search.ts";
      import { syncIndex } from "./src/sources/notes/note-index/sync.ts";
      import { embedPending } from "./src/sources/notes/vectors/embed-pending.ts";
      import { noteFilesOf } from "./src/sources/notes/note-index/note-files.ts";
      import { openMemoryIndex } from "./src/sources/notes/note-index/memory-index.ts";
      import { vectorPlugin } from "./src/sources/notes/vectors/vector-store.ts";
      const [model, root, file] = process.argv.slice(2);
      globalThis.fetch = () => { throw new Error("nothing may be fetched"); };
      (async () => {
        const files = noteFilesOf({ path: root, kind: "plain", isWritable: false });
        const index = openMemoryIndex(file, files, { plugins: [vectorPlugin()] });
        await syncIndex(index);
        const embedder = localEmbedder(model);
        await embedPending(index, embedder);
        const semantic = semanticRanker(index, embedder);
        const { hits } = await search(index, { query: "user cannot log in", mode: "Semantic" }, { semantic });
        console.log(hits[0].uri);
        await embedder.close();
      })();
    `);
    const root = temporaryFolder();
    writeFileSync(
      join(root, "auth.md"),
      "# Sessions\n\nAuthentication failed because the token had expired.",
    );
    writeFileSync(join(root, "lunch.md"), "# Lunch\n\nThe soup needs more salt and a little pepper.");
    const file = join(temporaryFolder(), "memory.db");
    const { stdout, stderr } = await runOn(installed.program, [script, model, root, file]);
    expect(stdout.trim(), stderr).toBe("memory://auth");
  });
});
