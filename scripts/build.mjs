// Bundles each entry point into one file: a hook then opens one file instead of sixty. CommonJS starts faster than ES
// modules (docs/benchmarks.md), so what runs as a process is CommonJS; what is imported is ESM.
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildClaudeCodePlugin } from "./build-claude-code-plugin.mjs";
import { leanMcpSdk } from "./lean-mcp-sdk.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // some packages' `main` is UMD, which cannot be bundled
  external: ["node:sqlite", "bun:sqlite", "./hook.cjs", "./cli.cjs", "./mcp.cjs"],
  // Leaves out a JSON schema validator that the MCP kit brings and we do not use.
  alias: { "@modelcontextprotocol/server/_shims": "./src/hosts/mcp/sdk-shims.ts" },
  define: { CONTINUO_VERSION: JSON.stringify(version) },
  legalComments: "eof",
  metafile: true,
  logLevel: "warning",
};

/**
 * esbuild splits only ES modules. Here a dynamic import means "a file of its own, read when needed": each becomes a
 * CommonJS file beside the entry point, built once however many entry points ask for it.
 */
const apart = new Map();
const dynamicImportsApart = {
  name: "dynamic-imports-apart",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async (args) => {
      if (args.kind !== "dynamic-import" || args.pluginData === "resolving") return undefined;
      if (args.path.startsWith("node:")) return undefined; // Node's own, of which there is no file to make
      const { path } = await resolve(args.path, {
        kind: args.kind,
        resolveDir: args.resolveDir,
        pluginData: "resolving",
      });
      const own = relative(join(root, "src"), path).replace(/\.ts$/, "");
      const name = `lazy-${(args.path.startsWith(".") ? own : args.path).replace(/\W/g, "-")}.cjs`;
      apart.set(name, path);
      return { path: `./${name}`, external: true };
    });
  },
};

const results = await Promise.all([
  bundle("src/entries/bin.ts", "continuo.cjs", { banner: { js: "#!/usr/bin/env node" } }),
  bundle("src/entries/hook.ts", "hook.cjs"),
  bundle("src/entries/cli.ts", "cli.cjs"),
  bundle("src/entries/mcp.ts", "mcp.cjs"),
]);
for (const built = new Set(); built.size < apart.size; ) {
  for (const [name, path] of [...apart].filter(([one]) => !built.has(one))) {
    results.push(await bundle(path, name));
    built.add(name);
  }
}
// OpenCode and pi each load one file into their own process.
for (const [entry, outfile] of [
  ["src/entries/opencode.ts", "dist/continuo-opencode.js"],
  ["src/entries/pi.ts", "dist/continuo-pi.js"],
]) {
  results.push(await build({ ...shared, entryPoints: [entry], outfile, format: "esm" }));
}
results.push(
  await build({
    ...shared,
    entryPoints: {
      index: "src/entries/exports/index.ts",
      compose: "src/entries/exports/compose.ts",
      context: "src/entries/exports/context.ts",
      copilot: "src/entries/copilot.ts",
      rules: "src/entries/exports/rules.ts",
      seed: "src/entries/exports/seed.ts",
    },
    outdir: "dist",
    format: "esm",
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
  }),
);
chmodSync(join(root, "dist/continuo.cjs"), 0o755);

const meta = { outputs: Object.assign({}, ...results.map((result) => result.metafile.outputs)) };
writeFileSync(join(root, "dist/meta.json"), JSON.stringify(meta));
// Names of earlier builds go. Afterwards, so that a hook that runs meanwhile never finds nothing.
for (const folder of ["dist", "dist/chunks"]) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const isOld =
      entry.isFile() && /\.c?js$/.test(entry.name) && !(`${folder}/${entry.name}` in meta.outputs);
    if (isOld) rmSync(join(root, folder, entry.name));
  }
}
buildClaudeCodePlugin(root, version);
if (process.argv.includes("--types")) {
  rmSync(join(root, "dist", "types"), { recursive: true, force: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

function bundle(entry, name, more = {}) {
  return build({
    ...shared,
    ...more,
    plugins: [dynamicImportsApart, leanMcpSdk],
    entryPoints: [entry],
    outfile: `dist/${name}`,
    format: "cjs",
    minify: true,
  });
}
