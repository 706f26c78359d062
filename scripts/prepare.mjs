// npm runs this after `npm install` in a clone, and when a clone is installed as a package. `npm install -g .` would only
// link the global package to the clone, and break as soon as the clone moves: there it installs the packed package over
// npm's link.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Packing makes npm run `prepare` again, in some versions also with --ignore-scripts: this ends the circle.
const MARK = "CONTINUO_PREPARING";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { npm_config_global, npm_command = "" } = process.env;

if (process.env[MARK] === undefined && npm_command === "install") {
  if (npm_config_global === "true") installPacked();
  else run(process.execPath, [join(root, "scripts", "build.mjs")]);
}

function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), "continuo-pack-"));
  try {
    npm(["pack", "--pack-destination", folder], { npm_config_global: "false" });
    const [tarball] = readdirSync(folder);
    npm(["install", "--global", "--ignore-scripts", join(folder, tarball)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args, env = {}) {
  const cli = process.env.npm_execpath;
  const isScript = cli !== undefined && /\.[cm]?js$/.test(cli);
  const [command, first] = isScript ? [process.execPath, [cli]] : ["npm", []];
  const quiet = ["--loglevel=error", "--no-audit", "--no-fund"];
  run(command, [...first, ...args, ...quiet], env, !isScript && process.platform === "win32");
}

function run(command, args, env = {}, shell = false) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env, [MARK]: "1" },
    stdio: ["ignore", 2, 2],
    shell,
  });
  if (status !== 0) process.exit(status ?? 1);
}
