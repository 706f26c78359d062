// What runs as a process becomes a few CommonJS files (bundle-processes.mjs); what a host or a program imports is ESM.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { ASK, buildClaudeCodePlugin, LICENCES } from "./build-claude-code-plugin.mjs";
import { buildPage } from "./build-page.mjs";
import { bundleProcesses } from "./bundle-processes.mjs";
import { leanMcpSdk } from "./lean-mcp-sdk.mjs";
import { bundledPackages, licencesOf } from "./licences.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // some packages' `main` is UMD, which cannot be bundled
  external: ["node:sqlite", "bun:sqlite"],
  // Leaves out a JSON schema validator that the MCP kit brings and we do not use.
  alias: { "@modelcontextprotocol/server/_shims": "./src/hosts/mcp/sdk-shims.ts" },
  define: { CONTINUO_VERSION: JSON.stringify(version) },
  legalComments: "none", // licences.mjs
  metafile: true,
  logLevel: "warning",
};

const { id, places, metafile } = await bundleProcesses(
  { ...shared, plugins: [leanMcpSdk] },
  {
    hook: "src/entries/hook.ts",
    cli: "src/entries/cli.ts",
    mcp: "src/entries/mcp.ts",
    keep: "src/entries/keep.ts",
    "run-checks": "src/entries/run-checks.ts",
  },
  ["src/entries/hook.ts"],
  [
    "hosts/[\\w-]+/history/reader",
    "hosts/[\\w-]+/past",
    "sources/notes/ports/memory-answers",
    "sources/notes/ports/tools", // not a hook's, but every MCP server loads it when it starts
    "sources/rules/parsing/parse",
    "sources/rules/run/start-runs",
    "sources/rules/run/tell-runs",
    "sources/profile/answers",
    "sources/sessions/left-off/left-off",
    "sources/sessions/left-off/lines",
    "sources/sessions/left-off/read-sessions",
    "sources/sessions/ports/advance-index",
  ],
  [
    "src/git/remote.ts",
    "src/hosts/shared/tool-use/added-lines.ts",
    "src/hosts/shared/tool-use/patches.ts",
    "src/hosts/shared/tool-use/shell-edits.ts",
    "src/markdown/frontmatter.ts",
    "src/markdown/text-blocks.ts",
    "src/moments/delivery/further-entries.ts",
    "src/moments/delivery/loss-report.ts",
    "src/moments/delivery/undelivered.ts",
    "src/moments/engine/guards.ts",
    "src/moments/project/package-names.ts",
    "src/moments/project/project-notice.ts",
    "src/moments/state/session-name.ts",
    "src/moments/shell/shell.ts",
    "src/moments/state/session-meta.ts",
    "src/sources/sets/card.ts",
    "src/sources/sets/change.ts",
    "src/sources/sets/sets.ts",
    "src/sources/rules/catalog/digest.ts",
    "src/sources/rules/checks/check-before.ts",
    "src/sources/rules/checks/check-call.ts",
    "src/sources/rules/checks/check-set.ts",
    "src/sources/rules/checks/check-stop.ts",
    "src/sources/rules/checks/commands-so-far.ts",
    "src/sources/rules/checks/judge.ts",
    "src/sources/rules/matching/automaton.ts",
    "src/sources/rules/matching/linear-regex.ts",
    "src/sources/sessions/references.ts",
    "src/store/redact.ts",
    "src/store/trust.ts",
  ],
);
const results = [
  await build({
    ...shared,
    entryPoints: ["src/entries/bin.ts"],
    // Last: a hook that starts during the build finds all files of the one build or of the other.
    define: {
      ...shared.define,
      CONTINUO_BUILD: JSON.stringify(id),
      CONTINUO_PLACES: JSON.stringify(JSON.stringify(places)),
    },
    outfile: "dist/continuo.cjs",
    format: "cjs",
    minify: true,
    banner: { js: "#!/usr/bin/env node" },
  }),
];
// OpenCode and pi each load one file into their own process.
for (const [entry, outfile] of [
  ["src/entries/opencode.ts", "dist/continuo-opencode.js"],
  ["src/entries/pi.ts", "dist/continuo-pi.js"],
]) {
  results.push(await build({ ...shared, minify: true, entryPoints: [entry], outfile, format: "esm" }));
}
results.push(
  await build({
    ...shared,
    minify: true,
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
copyFileSync(join(root, "src/entries", ASK), join(root, "dist", ASK));

// Names of earlier builds go. Afterwards, so that a hook that runs meanwhile never finds nothing.
const written = new Set([
  `dist/code-${id}.cjs`,
  ...results.flatMap(({ metafile }) => Object.keys(metafile.outputs)),
]);
for (const folder of ["dist", "dist/chunks"]) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const isOld = /\.c?js$|^meta\.json$/.test(entry.name) && !written.has(`${folder}/${entry.name}`);
    if (entry.isFile() && isOld) rmSync(join(root, folder, entry.name));
  }
}
const page = await buildPage(root);
const bundled = bundledPackages([metafile, page.metafile, ...results.map((one) => one.metafile)]);
writeFileSync(join(root, "dist", LICENCES), licencesOf(root, bundled));
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
