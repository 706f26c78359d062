// Bundles each entry point into one file: a hook then opens one file instead of forty. CommonJS starts faster
// than ES modules (docs/benchmarks.md), so what runs as a process is CommonJS; what is imported is ESM.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"], // some packages' `main` is UMD, which cannot be bundled
  external: ["node:sqlite", "bun:sqlite", "./hook.cjs", "./cli.cjs"],
  define: { CONTINUO_VERSION: JSON.stringify(version) },
  legalComments: "eof",
  metafile: true,
  logLevel: "warning",
};

const processes = await Promise.all([
  build({
    ...shared,
    entryPoints: ["src/cli/bin.ts"],
    outfile: "dist/continuo.cjs",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
  }),
  bundleProcess("src/cli/bin-hook.ts", "dist/hook.cjs"),
  bundleProcess("src/cli/bin-cli.ts", "dist/cli.cjs"),
  // Apart, because a hook seldom needs it and would otherwise read it every time.
  build({ ...shared, entryPoints: ["js-yaml"], outfile: "dist/yaml.cjs", format: "cjs", minify: true }),
]);
const libraries = await build({
  ...shared,
  entryPoints: {
    index: "src/index.ts",
    compose: "src/compose/index.ts",
    rules: "src/sources/rules/index.ts",
  },
  outdir: "dist",
  format: "esm",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
});
chmodSync(join(root, "dist/continuo.cjs"), 0o755);

const meta = {
  outputs: Object.assign({}, ...[...processes, libraries].map((result) => result.metafile.outputs)),
};
writeFileSync(join(root, "dist/meta.json"), JSON.stringify(meta));
// Chunk names carry hashes: the ones of earlier builds go. Afterwards, so that a running hook never finds nothing.
for (const name of readdirSync(join(root, "dist/chunks"))) {
  if (!(`dist/chunks/${name}` in meta.outputs)) rmSync(join(root, "dist/chunks", name));
}

function bundleProcess(entry, outfile) {
  const yaml = { alias: { "js-yaml": "./yaml.cjs" }, external: [...shared.external, "./yaml.cjs"] };
  return build({
    ...shared,
    ...yaml,
    entryPoints: [entry],
    outfile,
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
  });
}
