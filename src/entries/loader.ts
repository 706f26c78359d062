import { join } from "node:path";
import { constants, Script } from "node:vm";
import { openFile, readAt, withFile } from "../store/read-file.ts";
import { placesFor, readCodeCache } from "./code-cache.ts";

/** The position of each bundle's function in the file that contains all bundles. */
export type Places = Readonly<Record<string, readonly [at: number, size: number]>>;

interface LoaderOptions {
  /** The folder of the bundles, and the build that they belong to. */
  readonly folder: string;
  readonly build: string;
  readonly places: Places;
  /** The kind of this process: processes of one kind run almost the same code. */
  readonly kind: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Loader {
  /** What a bundle exports. */
  load(name: string): unknown;
  /** Saves the code compiled so far for the next process of this kind, unless that was done before. */
  keep(): void;
}

/**
 * Loads bundles from the one file that contains them all. The file stays open, so that a process can still load its
 * later parts while the package is updated or removed. (On Windows npm could not rename a folder with an open file, so
 * there the file is opened each time.)
 *
 * Bundles are loaded with the code that V8 compiled in earlier processes of the same kind. Node's own compile cache
 * contains only what is compiled when a file is loaded. Most functions are compiled later, at their first call, and
 * would be compiled again in every process.
 */
export function createLoader({ folder, build, places, kind, env }: LoaderOptions): Loader {
  const bundle = (name: string) => `${name}-${build}.cjs`;
  const all = join(folder, bundle("code"));
  const held = process.platform === "win32" ? undefined : openFile(all).descriptor;
  const isBun = process.versions["bun"] !== undefined;
  const homes = isBun ? [] : placesFor(folder, env);
  const file = fileName(build, kind, env);
  let cache: ReturnType<typeof readCodeCache>;
  for (const home of homes) cache ??= readCodeCache(join(home.folder, file));
  let isKept = cache?.isDue === false;
  const modules = new Map<string, { exports: unknown }>();
  const scripts = new Map<string, Script>();

  const textOf = (name: string): string => {
    const [at, size] = places[name] ?? [0, 0];
    const bytes =
      held === undefined
        ? withFile(all, ({ descriptor }) => readAt(descriptor, at, size))
        : readAt(held, at, size);
    return bytes.toString("utf8");
  };
  const compile = (name: string): Script => {
    const cachedData = cache?.code.get(name);
    const script = new Script(`(${textOf(name)})`, {
      filename: join(folder, name),
      ...(cachedData === undefined ? {} : { cachedData }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    // V8 rejects code of another version or with other flags.
    if (cachedData === undefined || script.cachedDataRejected === true) isKept = false;
    scripts.set(name, script);
    return script;
  };
  const run = (name: string): unknown => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const script = compile(name);
    const module = { exports: {} };
    modules.set(name, module);
    try {
      script.runInThisContext().call(module.exports, module.exports, requireFrom, module, folder);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  };
  const requireFrom = (id: string): unknown => (id.startsWith("./") ? run(id.slice(2)) : require(id));
  const load = (name: string) => run(bundle(name));
  const keep = () => {
    if (isKept || isBun) return;
    isKept = true;
    try {
      const compiled = new Map(scripts);
      const { keepCode } = load("keep") as typeof import("./keep.ts");
      keepCode(homes, file, compiled, cache);
    } catch {
      // Only speed is lost. `doctor` reports a home that cannot be written.
    }
  };
  return { load, keep };
}

/** Compiled code is valid for one version of V8 and the same flags. */
function fileName(build: string, kind: string, env: NodeJS.ProcessEnv): string {
  const flags = [...process.execArgv, env["NODE_OPTIONS"] ?? ""].join(" ").trim();
  const parts = [build, process.version, process.arch, kind, ...(flags === "" ? [] : [flags])];
  return parts
    .join("-")
    .replace(/[^\w.-]+/g, "_")
    .slice(0, 200);
}
