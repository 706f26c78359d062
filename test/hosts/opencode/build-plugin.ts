import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { PLUGIN_FILE } from "../../../src/hosts/opencode/installer.ts";
import { ROOT } from "../../support/child.ts";
import { linkTable } from "../../support/table.ts";

/** Sources that break us from within, in the place of the real ones. */
const BREAKINGS = {
  throws: `export const SOURCES = new Proxy([], { get() { throw new Error("sabotage"); } });
    export const MODULES = SOURCES;`,
  hangs: `const never = () => new Promise(() => {});
    const answers = Object.fromEntries(
      ["start", "resume", "prompt", "tool", "compacting", "compacted", "idle", "end"].map((name) => [name, never]));
    export const SOURCES = [{ name: "rules", answersChildren: true, settings: {}, answers, guard: never }];
    export const MODULES = [];`,
};

/** The plugin as one file, as the package has it; or one that is broken from within. */
export async function buildPlugin(folder: string, breaking?: keyof typeof BREAKINGS): Promise<string> {
  const outfile = join(folder, PLUGIN_FILE);
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/entries/opencode.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    mainFields: ["module", "main"],
    external: ["node:sqlite", "bun:sqlite"],
    logLevel: "warning",
    plugins: breaking === undefined ? [] : [instead(BREAKINGS[breaking])],
  });
  linkTable(folder);
  return outfile;
}

function instead(contents: string): Plugin {
  return {
    name: "sabotage",
    setup: ({ onLoad }) => {
      onLoad({ filter: /src[\\/]sources[\\/]index\.ts$/ }, () => ({ contents, loader: "js" }));
    },
  };
}
