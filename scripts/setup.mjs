// What `npm start` and `npm test` need on a fresh clone: dependencies as locked, and a build. Runs on the machine's
// own Node (20 is enough); the Node that the project itself uses comes with the dependencies.
// `bundled`: only the packages that the build needs. `types`: type declarations too.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { noteForSample } from "./node-refusal.mjs";
import { npm, orExplain, root, run, say } from "./npm.mjs";

const modules = join(root, "node_modules");
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), "utf8"));
const locked = Object.entries(readJson("package-lock.json").packages);

export function setup({ bundled, types }) {
  // The packages of a contributor stay: npm would remove all others.
  if (bundled && !hasDevelopmentPackages()) installBundled();
  else installAll();
  say("building (a few seconds)");
  run(process.execPath, [join(root, "scripts", "build.mjs"), ...(types ? ["--types"] : [])]);
}

function installBundled() {
  const isMissing = ([path, { version }]) =>
    !existsSync(join(root, path, "package.json")) || readJson(path, "package.json").version !== version;
  const needed = locked.filter(
    ([path, { dev, optional, devOptional }]) => path !== "" && !dev && !optional && !devOptional,
  );
  if (!needed.some(isMissing)) return;
  say("downloading the packages that the build needs (about 20 MB)");
  install(["--omit=dev", "--ignore-scripts"]); // esbuild works without its script
}

function installAll() {
  const stamp = join(modules, ".continuo-setup");
  const lock = readFileSync(join(root, "package-lock.json"));
  const wanted = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("installing dependencies (once)");
  install([]);
  bringNode();
  writeFileSync(stamp, wanted);
}

/** npm's usual retries take minutes, without a word, until it says that there is no network. */
function install(args) {
  const retries = ["--fetch-retries=1", "--fetch-retry-mintimeout=2000"];
  try {
    // Not `npm ci`: that refuses a lock file without every other platform's binaries, and not every registry has
    // them all. This installs the locked versions just the same, and writes no lock file.
    npm(["install", "--no-save", ...retries, ...args]);
  } catch {
    throw new Error(
      "The packages could not be downloaded; npm's reason is above. Check the network, the proxy and `npm config get registry`, then run this again.",
    );
  }
}

function hasDevelopmentPackages() {
  return locked.some(([path, { dev, optional }]) => dev && !optional && existsSync(join(root, path)));
}

/** Newer npm versions may refuse the `node` package's install script; then its binary is fetched as a plain package. */
function bringNode() {
  const node = join(modules, ".bin", process.platform === "win32" ? "node.cmd" : "node");
  const { status } = spawnSync(node, ["--version"], { stdio: "ignore", shell: process.platform === "win32" });
  if (status === 0) return;
  const { version } = readJson("node_modules", "node", "package.json");
  const platform = process.platform === "win32" ? "win" : process.platform;
  install(["--ignore-scripts", `node-${platform}-${process.arch}@${version}`]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  orExplain(() => {
    const note = noteForSample(process.env, readJson("package.json").engines.node);
    if (note !== undefined) say(note);
    setup({ bundled: false, types: process.argv.includes("--types") });
  });
