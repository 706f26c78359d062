// What `npm start` and `npm test` need on a fresh clone: dependencies as locked, and a build. Runs on the machine's
// own Node (20 is enough); the Node that the project itself uses comes with the dependencies.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const stamp = join(root, "node_modules", ".continuo-setup");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  say("installing dependencies (once)");
  // Not `npm ci`: that refuses a lock file without every other platform's binaries, and not every registry has
  // them all. This installs the locked versions just the same, and writes no lock file.
  npm(["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
  bringNode();
  writeFileSync(stamp, wanted);
}
say("building");
run(process.execPath, [join(root, "scripts", "build.mjs"), ...process.argv.slice(2)]);

/** Newer npm versions may refuse the `node` package's install script; then its binary is fetched as a plain package. */
function bringNode() {
  const node = join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
  const { status } = spawnSync(node, ["--version"], { stdio: "ignore", shell: process.platform === "win32" });
  if (status === 0) return;
  const { version } = JSON.parse(readFileSync(join(root, "node_modules", "node", "package.json"), "utf8"));
  npm([
    "install",
    "--no-save",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${version}`,
  ]);
}

function npm(args) {
  const cli = process.env.npm_execpath;
  if (cli) run(process.execPath, [cli, ...args]);
  else run("npm", args);
}

function run(command, args) {
  // The install would otherwise build too, before the runtime is there (scripts/prepare.mjs).
  const env = { ...process.env, CONTINUO_PREPARING: "1" };
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) {
    say(`failed: ${command} ${args.join(" ")}${error ? ` (${error.message})` : ""}`);
    process.exit(status ?? 1);
  }
}

function say(text) {
  process.stderr.write(`continuo setup: ${text}\n`);
}
