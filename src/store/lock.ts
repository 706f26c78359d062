import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ContinuoError, systemCode } from "../base/errors.ts";
import { unique } from "../base/fingerprint.ts";
import { ensureFolder, namesIn } from "./folder.ts";
import { machine } from "./machine.ts";

/**
 * A lock is a folder with exactly one token file. If the lock is free, the token is called `free`; if it is held, the
 * token's name contains the holder and the time. Taking, releasing and taking over from a dead holder are each one rename,
 * which succeeds for exactly one process. No held name is ever used twice, so a process that acts late on an old holder
 * can do no harm. A killed process leaves its token behind, and the next one takes it over.
 */
const FREE = "free";

/** Work under a lock takes milliseconds, so a holder this old is gone, even if its process id is in use again. */
const STALE_MS = 30_000;

interface LockOptions {
  readonly waitMs: number;
  /** For work that takes longer than usual; all users of that lock must pass the same value. */
  readonly staleMs?: number;
  /**
   * For a lock in one of the user's own folders: the lock's folder is removed after use. Slower, because every user
   * creates it again.
   */
  readonly leavesNothing?: boolean;
  readonly now?: () => number;
}

export async function withLock<T>(
  folder: string,
  work: () => T | Promise<T>,
  options: LockOptions,
): Promise<T> {
  const now = options.now ?? Date.now;
  const held = await take(folder, options.waitMs, options.staleMs ?? STALE_MS, now);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    release(folder, held, options);
    throw error;
  }
  if (!release(folder, held, options)) {
    throw new ContinuoError("lock-lost", `the lock ${folder} was taken over while it was held`, {
      hint: "the machine was suspended or very slow; no action is needed unless this happens again",
    });
  }
  return result;
}

/** Who holds a lock, for `doctor`. */
export function lockHolder(folder: string): { pid: number; since: number; alive: boolean } | undefined {
  const holder = parse(readdirSync(folder).find((name) => name.startsWith("held.")) ?? "");
  return holder && { pid: holder.pid, since: holder.since, alive: isAlive(holder) };
}

/**
 * Releases a lock whose holder is gone or has held it longer than `staleMs`, as its next user would. Otherwise returns
 * false.
 */
export function freeLock(folder: string, staleMs: number, now: number): boolean {
  const token = tokenToTake(folder, staleMs, now);
  return token !== undefined && token !== FREE && tryRename(join(folder, token), join(folder, FREE));
}

async function take(folder: string, waitMs: number, staleMs: number, now: () => number): Promise<string> {
  // Dated when the lock is taken, not when waiting began: otherwise the lock would look stale after a long wait, and be
  // taken over.
  const taken = (token: string) => {
    const mine = `held.${process.pid}.${now()}.${machine()}.${unique()}`;
    return tryRename(join(folder, token), join(folder, mine)) ? mine : undefined;
  };
  // Elapsed time is measured with a monotonic clock (loading `performance` would take 2 ms); the wall clock only dates
  // the token.
  const deadline = process.hrtime.bigint() + BigInt(waitMs) * 1_000_000n;
  let held = taken(FREE); // usually it is free
  for (let pause = 1; held === undefined; pause = Math.min(pause * 2, 25)) {
    const token = tokenToTake(folder, staleMs, now());
    held = token && taken(token);
    if (held !== undefined) break;
    if (process.hrtime.bigint() > deadline) {
      throw new ContinuoError("lock-busy", `the lock ${folder} was busy for ${waitMs} ms`, {
        hint: "another Continuo process holds it; Continuo tries again at the next event",
      });
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
  return held;
}

function release(folder: string, held: string, { leavesNothing = false }: LockOptions): boolean {
  const isReleased = tryRename(join(folder, held), join(folder, FREE));
  if (isReleased && leavesNothing) removeFree(folder);
  return isReleased;
}

/**
 * A token that someone takes meanwhile has another name and stays, and so does a folder that is not empty. In between,
 * the folder is empty: the next user creates its token, as if there were no folder. Not done on Windows, which refuses
 * to rename in a folder that is being removed.
 */
function removeFree(folder: string): void {
  if (process.platform === "win32") return;
  try {
    unlinkSync(join(folder, FREE));
  } catch {
    return; // taken meanwhile
  }
  removeIfEmpty(folder);
}

/** The name of the token that may be taken now; undefined while a live process holds it. */
function tokenToTake(folder: string, staleMs: number, now: number): string | undefined {
  const names = namesIn(folder);
  if (names.includes(FREE)) return FREE;
  const held = names.find((name) => name.startsWith("held."));
  if (held === undefined) {
    create(folder);
    return FREE;
  }
  const holder = parse(held);
  return holder === undefined || isStale(holder, staleMs, now) ? held : undefined;
}

/** The token and its folder appear in one rename, so that two processes can never create two tokens. */
function create(folder: string): void {
  const draft = `${folder}.${process.pid}-${unique()}`;
  ensureFolder(dirname(folder));
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(join(draft, FREE), "", { mode: 0o600 });
    removeIfEmpty(folder);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!/^(EEXIST|ENOTEMPTY|EPERM)$/.test(systemCode(error) ?? "")) throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Absent or in use: the rename below decides.
  }
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

interface Holder {
  readonly pid: number;
  readonly since: number;
  readonly machine: string;
}

function parse(token: string): Holder | undefined {
  const [, pid, since, machine] = /^held\.(\d+)\.(\d+)\.([0-9a-z]+)\.[0-9a-z]+$/.exec(token) ?? [];
  return pid && since && machine ? { pid: Number(pid), since: Number(since), machine } : undefined;
}

function isStale(holder: Holder, staleMs: number, now: number): boolean {
  // A token dated in the future means that the clock was set back: its age is unknown, so it counts as stale.
  return Math.abs(now - holder.since) > staleMs || !isAlive(holder);
}

function isAlive(holder: Holder): boolean {
  if (holder.machine !== machine()) return true; // on a home shared by machines only its age can tell
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}
