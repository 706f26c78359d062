// Bundles what runs as a process of its own. CommonJS starts faster than ES modules (docs/design/benchmarks.md), but esbuild shares
// code between files only as ES modules. So it builds those, and each of its files is turned into CommonJS afterwards.
// A dynamic import in the source means "a file of its own, read when needed".
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { extraImports } from "./group-modules.mjs";

/**
 * Writes one file below `dist` with all bundles; returns the build's id, where each bundle is in it, and esbuild's metafile. The file is
 * JavaScript that exports a function for each. `processes`: output name to entry point.
 * `moments`: patterns below `src` of what hooks load with a dynamic import at some moments. `lazy`: modules that most hooks do not need.
 * They become files of their own, which are loaded when something of them is first used, although the source imports them
 * as usual. Loading them must have no effect but their exports. So nobody exports them again: that would use them.
 */
export async function bundleProcesses(options, processes, hooks, moments, lazy) {
  const common = {
    ...options,
    entryPoints: [...Object.values(processes), ...lazy],
    plugins: [withLazyImports(options.absWorkingDir, lazy), ...options.plugins],
    outdir: "dist",
    format: "esm",
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
  };
  const { metafile } = await build(common);
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const patterns = moments.map((one) => new RegExp(`^src/(?:${one})\\.ts$`));
  // A file that moved would be loaded by every hook, and nothing would say so.
  const gone = patterns.filter((pattern) => !entries.some((entry) => pattern.test(entry)));
  if (gone.length > 0) throw new Error(`nothing that is imported dynamically matches ${gone.join(" and ")}`);
  const isOfMoment = (entry) => lazy.includes(entry) || patterns.some((pattern) => pattern.test(entry));
  const extra = extraImports(modulesIn(metafile), entries, Object.values(processes), hooks, isOfMoment);
  const names = new Map(entries.map((entry) => [entry, nameOf(entry, processes)]));
  if (new Set(names.values()).size < names.size) throw new Error("two entry points have the same name");
  const built = await build({
    ...common,
    entryPoints: entries.map((entry) => ({ in: entry, out: names.get(entry) })),
    // A package without side effects is not loaded for nothing, also where a group has it.
    logOverride: { "ignored-bare-import": "silent" },
    plugins: [withExtraImports(options.absWorkingDir, extra), ...common.plugins],
  });
  // Each build has its own names: exports are minified, so code of another version would bind the wrong functions.
  const id = idOf(built.outputFiles);
  const files = outputNames(built.metafile.outputs, hooks, (name) => `${name}-${id}`);
  let text = "module.exports={";
  const places = {};
  for (const path of files.keys()) {
    const file = built.outputFiles.find((one) => one.path === join(options.absWorkingDir, path));
    const code = await toCommonJs(file.text, files, (module) => `./${names.get(module)}-${id}.cjs`, options);
    const name = `${files.get(path)}.cjs`;
    const whole = `function(exports,require,module,__dirname){${code}}`;
    text += `\n${JSON.stringify(name)}:`;
    places[name] = [Buffer.byteLength(text), Buffer.byteLength(whole)];
    text += `${whole},`;
  }
  mkdirSync(join(options.absWorkingDir, "dist"), { recursive: true });
  writeFileSync(join(options.absWorkingDir, "dist", `code-${id}.cjs`), `${text}\n};\n`);
  return { id, places, metafile: built.metafile };
}

function modulesIn({ inputs, outputs }) {
  const sizes = new Map();
  for (const output of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs))
      sizes.set(path, (sizes.get(path) ?? 0) + bytesInOutput);
  return new Map(
    Object.entries(inputs).map(([path, { imports }]) => [
      path,
      {
        size: sizes.get(path) ?? 0,
        imports: imports.flatMap((one) => (one.external || one.kind === "dynamic-import" ? [] : one.path)),
        builtins: imports.flatMap((one) =>
          one.external && isBuiltin(one.path) ? one.path.replace("node:", "") : [],
        ),
      },
    ]),
  );
}

/** Paths instead of base names, since two folders may have files of the same name. */
function nameOf(entry, processes) {
  const process = Object.keys(processes).find((name) => processes[name] === entry);
  const [, packageName] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(entry) ?? [];
  return (process ?? packageName ?? entry.replace(/^src\/|\.ts$/g, "")).replace(/[^\w-]/g, "-");
}

/** What others import of a lazy module stays an import of another file. */
function withLazyImports(root, lazy) {
  const paths = new Set(lazy.map((path) => join(root, path)));
  return {
    name: "with-lazy-imports",
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir, namespace }) => {
        const whole = join(resolveDir, path);
        if (kind !== "import-statement" || namespace === "entry" || !paths.has(whole)) return undefined;
        return { path: `lazy:${pathFrom(root, whole)}`, external: true };
      });
    },
  };
}

/** As esbuild names modules: with slashes, on Windows too. */
function pathFrom(root, path) {
  return path.slice(root.length + 1).replaceAll("\\", "/");
}

/** An entry point is replaced by a module that exports the same and loads more. */
function withExtraImports(root, extra) {
  return {
    name: "with-extra-imports",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async (args) => {
        if (args.pluginData === "resolving" || !["entry-point", "dynamic-import"].includes(args.kind))
          return undefined;
        const path = args.kind === "entry-point" ? join(root, args.path) : (await resolved(args)).path;
        const entry = pathFrom(root, path);
        return extra.get(entry)?.length > 0 ? { path: entry, namespace: "entry" } : undefined;
      });
      onLoad({ filter: /./, namespace: "entry" }, ({ path }) => ({
        contents: [
          `export * from ${JSON.stringify(`./${path}`)};`,
          // Data has no code to load; it goes with the module that reads it.
          ...extra
            .get(path)
            .filter((one) => !one.endsWith(".json"))
            .map((one) => `import ${JSON.stringify(`./${one}`)};`),
        ].join("\n"),
        resolveDir: root,
      }));

      function resolved({ path, kind, resolveDir }) {
        return resolve(path, { kind, resolveDir, pluginData: "resolving" });
      }
    },
  };
}

/** Of all that is written. Compiled code is kept by this id, so it changes with this script too. */
function idOf(files) {
  const hash = createHash("sha256").update(readFileSync(fileURLToPath(import.meta.url)));
  for (const { text } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) hash.update(text);
  return hash.digest("hex").slice(0, 8);
}

/** What each output is called. What hooks share with all others is the core; other shared code is named by its main folder. */
function outputNames(outputs, hooks, versioned) {
  const bySize = Object.entries(outputs).sort(([, a], [, b]) => b.bytes - a.bytes);
  const hookImports = bySize
    .filter(([, { entryPoint }]) => hooks.some((hook) => entryPoint?.endsWith(hook)))
    .flatMap(([, { imports }]) => imports.map(({ path }) => path));
  const [core] = bySize.find(([path]) => hookImports.includes(path)) ?? [];
  const names = new Map();
  const taken = new Set();
  for (const [path, { entryPoint, inputs }] of bySize) {
    const shared = path === core ? "core" : `shared-${mainFolder(inputs)}`;
    const name = entryPoint === undefined ? shared : /([^/]+)\.js$/.exec(path)[1];
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name}-${number}`;
    taken.add(unique);
    names.set(path, versioned(unique));
  }
  return names;
}

function mainFolder(inputs) {
  const sizes = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const [, one, two] = path.replace(/^node_modules\//, "packages/").split("/");
    const folder = two === undefined || two.includes(".") ? one : `${one}-${two}`;
    sizes.set(folder, (sizes.get(folder) ?? 0) + bytesInOutput);
  }
  const [first] = [...sizes].sort((a, b) => b[1] - a[1]);
  return first === undefined ? "runtime" : first[0].replace(/[^\w-]/g, "-");
}

/** esbuild's own helpers. They need not be loaded where none is used. */
const RUNTIME = /^\.\/shared-runtime-\w+\.cjs$/;

async function toCommonJs(text, files, lazyFile, { target, platform, legalComments }) {
  const byFile = new Map([...files].map(([path, name]) => [path.replace("dist/", "./"), `./${name}.cjs`]));
  const renamed = text
    .replace(/\bfrom"lazy:([^"]+)"/g, (_, module) => `from"lazy:${lazyFile(module)}"`)
    .replace(/\bimport"lazy:[^"]+";/g, "")
    .replace(
      /\bimport\("(\.\/[^"]+)"\)/g,
      (_, path) => `Promise.resolve().then(()=>require("${byFile.get(path)}"))`,
    )
    .replace(/\bimport"(\.\/[^"]+)";/g, (all, path) => (RUNTIME.test(byFile.get(path)) ? "" : all))
    .replace(/\b(from|import)"(\.\/[^"]+)"/g, (_, word, path) => `${word}"${byFile.get(path)}"`)
    // esbuild would define a getter for each export, which costs a hook 1 ms. Values are enough: no file imports itself in a
    // circle, and no module of ours exports a variable that it changes.
    .replace(/\bexport\{([^{}]*)\};\s*$/, (_, names) => `module.exports={${exportedValues(names)}};`);
  const define = { "import.meta.dirname": "__dirname" };
  const format = { format: "cjs", minify: true, target, platform, legalComments, define };
  const { code } = await transform(renamed, format);
  // Uses of an import are written as `file.name`: the first one loads the file.
  const loaded = code.replace(
    /(?<=[=,])require\("lazy:([^"]+)"\)/g,
    (_, file) => `new Proxy({},{get:(_,name)=>require("${file}")[name]})`,
  );
  if (loaded.includes('"lazy:'))
    throw new Error(`a lazy import has an unknown form: ${/.{80}"lazy:.{40}/.exec(loaded)}`);
  return loaded;
}

function exportedValues(names) {
  return names.split(",").map((one) => {
    const [local, exported = local] = one.split(" as ");
    return `${exported}:${local}`;
  });
}
