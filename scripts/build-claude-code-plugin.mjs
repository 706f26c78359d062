// Claude Code copies a plugin's folder into its cache, node_modules too if there is one. So the plugin is a folder that
// holds what it needs and nothing else: the files of claude-code-plugin/, the bundles that its hooks, its commands and its
// MCP server run, and the table of meaning. The other bundles read that from here too: the package has room for it once.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** As src/search/meaning/table.ts names it. */
const TABLE = "meaning.bin";
/** As src/hosts/names.ts names it: what a hook command starts first, to ask a server that runs. */
export const ASK = "ask.pl";
/** The licences of what the bundles have from other packages. */
export const LICENCES = "THIRD-PARTY-LICENSES.txt";

export function buildClaudeCodePlugin(root, version) {
  const written = join(root, "claude-code-plugin");
  const plugin = join(root, "dist", "claude-code-plugin");
  const bundles = readdirSync(join(root, "dist")).filter((name) => name.endsWith(".cjs"));
  cpSync(written, plugin, { recursive: true });
  cpSync(join(root, "LICENSE"), join(plugin, "LICENSE"));
  cpSync(join(root, "dist", LICENCES), join(plugin, "dist", LICENCES));
  cpSync(join(root, "assets", "meaning", "table.bin"), join(plugin, "dist", TABLE));
  cpSync(join(root, "dist", ASK), join(plugin, "dist", ASK));
  for (const name of bundles) cpSync(join(root, "dist", name), join(plugin, "dist", name));
  const manifest = join(plugin, ".claude-plugin", "plugin.json");
  const described = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(manifest, `${JSON.stringify({ ...described, version }, null, 2)}\n`);
  // Afterwards, as with the other bundles: a session may be using the folder where it is.
  const wanted = new Set([
    ...readdirSync(written, { recursive: true }),
    "LICENSE",
    "dist",
    ...[...bundles, TABLE, LICENCES, ASK].map((name) => join("dist", name)),
  ]);
  for (const path of readdirSync(plugin, { recursive: true })) {
    if (!wanted.has(path)) rmSync(join(plugin, path), { recursive: true, force: true });
  }
}
