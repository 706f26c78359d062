// Starts programs for the scripts of this folder, npm above all.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Runs the npm that started us, or the one on the PATH. What it prints goes to stderr, or is returned. */
export function npm(args, options = {}) {
  const cli = process.env.npm_execpath;
  const isScript = cli !== undefined && /\.[cm]?js$/.test(cli);
  const [command, first] = isScript ? [process.execPath, [cli]] : ["npm", []];
  const quiet = ["--loglevel=error", "--no-audit", "--no-fund"];
  const shell = !isScript && process.platform === "win32";
  return run(command, [...first, ...args, ...quiet], { ...options, shell });
}

export function run(command, args, { cwd = root, shell = false, returnsOutput = false } = {}) {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    // npm inside of npm must not prepare again (scripts/prepare.mjs), nor install globally unless it is told so.
    env: { ...process.env, npm_config_global: "false", CONTINUO_PREPARING: "1" },
    stdio: ["ignore", returnsOutput ? "pipe" : 2, 2],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    shell,
  });
  if (status !== 0) throw new Error(`failed: ${command} ${args.join(" ")}`, { cause: error });
  return stdout;
}

export function say(text) {
  process.stderr.write(`continuo: ${text}\n`);
}

/** Ends the process with a message instead of a stack. */
export function orExplain(action) {
  try {
    return action();
  } catch (error) {
    say(`${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ""}`);
    process.exit(1);
  }
}
