import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTINUO, runScript } from "./child.ts";
import type { temporaryWorld } from "./world.ts";

/** The files and modules of Node that a process has loaded when it ends. */
const PROBE = `const vm = require("node:vm");
const loaded = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    loaded.push(options.filename);
  }
};
process.on("exit", () => require("node:fs").writeFileSync(process.env.LOADED,
  [...loaded, ...process.moduleLoadList].join("\\n")));`;

/** Runs hooks of Claude Code; each says what it printed and what its process loaded. */
export function loadingHook(world: ReturnType<typeof temporaryWorld>) {
  const probe = join(world.root, "..", "probe.cjs");
  const LOADED = join(world.root, "..", "loaded.txt");
  writeFileSync(probe, PROBE);
  return async (event: string, session_id: string, more: Record<string, unknown> = {}) => {
    const stdin = JSON.stringify({ session_id, cwd: world.root, source: "startup", reason: "exit", ...more });
    const { stdout } = await runScript(CONTINUO, ["hook", "claude-code", event], {
      env: { ...world.env, LOADED },
      cwd: world.root,
      stdin,
      nodeArgs: ["--require", probe],
    });
    return { stdout, loaded: readFileSync(LOADED, "utf8") };
  };
}
