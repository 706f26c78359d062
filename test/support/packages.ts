import { execFile } from "node:child_process";
import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const INSTALL_TIMEOUT_MS = 280_000;

/** Outside the repository: a host has hundreds of megabytes and must survive `git clean`. */
export function cacheRoot(): string {
  const uid = process.getuid?.() ?? userInfo().username;
  return process.env["CONTINUO_TEST_CACHE"] ?? path.join(tmpdir(), `continuo-test-cache-${uid}`);
}

/** The folder with `node_modules` of exactly this version, which is installed if it is missing. */
export async function installedPackage(name: string, version: string): Promise<string> {
  const root = cacheRoot();
  await mkdir(root, { recursive: true, mode: 0o700 });
  await assertOurs(root);
  const folder = path.join(root, `${name.replaceAll("/", "+")}@${version}`);
  if (await holds(folder, name, version)) return folder;

  const release = await lock(`${folder}.lock`);
  try {
    // The previous holder of the lock may have installed it in the meantime.
    if (await holds(folder, name, version)) return folder;
    const temporary = await mkdtemp(path.join(root, "installing-"));
    try {
      await npmInstall(temporary, name, version);
      // An incomplete installation can be here only if a cleaner emptied the temporary folder.
      await rm(folder, { recursive: true, force: true });
      await rename(temporary, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  } catch (error) {
    // The lock can be lost (a killed owner's pid reused); a complete installation by another process is as good.
    if (!(await holds(folder, name, version))) throw error;
  } finally {
    await release();
  }
  return folder;
}

/** Locally, the tests of an unavailable host are skipped; in CI they must fail, or nobody notices. */
export async function orSkipReason<T>(promise: Promise<T>): Promise<T | { skip: string }> {
  try {
    return await promise;
  } catch (error) {
    if (process.env["CI"]) throw error;
    return { skip: error instanceof Error ? error.message : String(error) };
  }
}

async function npmInstall(prefix: string, name: string, version: string): Promise<void> {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", prefix];
  const args = ["install", ...flags, `${name}@${version}`];
  // `npm test` names the npm that runs it; a bare `npm` on Windows is a .cmd that needs a shell.
  const cli = process.env["npm_execpath"];
  const viaNode = cli?.endsWith(".js") && path.basename(cli).startsWith("npm");
  const options = { cwd: prefix, timeout: INSTALL_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
  try {
    await writeFile(path.join(prefix, "package.json"), '{"private":true}\n');
    if (viaNode && cli) await promisify(execFile)(process.execPath, [cli, ...args], options);
    else await promisify(execFile)("npm", args, { ...options, shell: process.platform === "win32" });
  } catch (error) {
    const { stderr, killed } = error as { stderr?: string; killed?: boolean };
    const why = killed ? `npm took longer than ${INSTALL_TIMEOUT_MS} ms` : stderr?.trim() || String(error);
    throw new Error(`cannot install ${name}@${version} for tests: ${why}`);
  }
  if (!(await holds(prefix, name, version))) {
    throw new Error(`cannot install ${name}@${version} for tests: npm reported success but it is not there`);
  }
}

async function holds(folder: string, name: string, version: string): Promise<boolean> {
  try {
    const manifest = await readFile(path.join(folder, "node_modules", name, "package.json"), "utf8");
    return (JSON.parse(manifest) as { version?: string }).version === version;
  } catch {
    return false;
  }
}

/** The default folder is in one that everybody may write to, and programs are run from it. */
async function assertOurs(root: string): Promise<void> {
  const uid = process.getuid?.();
  const found = await lstat(root);
  if (uid !== undefined && found.uid !== uid)
    throw new Error(`${root} belongs to another user; not using it`);
}

/** Saves the second test process a download of hundreds of megabytes. The rename is what makes it safe. */
export async function lock(file: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + INSTALL_TIMEOUT_MS;
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(await readFile(file, "utf8").catch(() => ""));
      const stale = owner > 0 && owner !== process.pid && !alive(owner);
      if (stale || Date.now() > deadline) await rm(file, { force: true });
      else await sleep(200);
    }
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
