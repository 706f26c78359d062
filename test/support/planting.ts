import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const DEVICES = { zero: ["1", "5"], tty: ["5", "0"] } as const;
let devices: string | undefined;

/**
 * A device to link to. Root gets one of this process's own, so that a bug in the tested code cannot replace the machine's.
 * Others cannot write to /dev.
 */
export function device(name: keyof typeof DEVICES): string {
  if (process.getuid?.() !== 0) return `/dev/${name}`;
  devices ??= mkdtempSync(join(tmpdir(), "devices-"));
  const path = join(devices, name);
  if (!existsSync(path)) {
    process.once("exit", () => rmSync(devices ?? path, { recursive: true, force: true }));
    execFileSync("mknod", ["-m", "666", path, "c", ...DEVICES[name]]);
  }
  return path;
}

/** What an attacker could put in place of a file to make its reader wait or run out of memory. */
export const PLANTS: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "an endless device": (path) => symlinkSync(device("zero"), path),
  "a terminal": (path) => symlinkSync(device("tty"), path),
  "a socket": (path) => {
    // Its second name stays when the server is gone, as after a crash. It is in the temporary folder, because socket paths are short.
    const folder = mkdtempSync(join(tmpdir(), "s-"));
    const server = createServer().listen(join(folder, "s"));
    linkSync(join(folder, "s"), path);
    server.close();
    rmSync(folder, { recursive: true });
  },
  "a sparse file of 1 GB": (path) => {
    closeSync(openSync(path, "w"));
    truncateSync(path, 2 ** 30);
  },
  "a link to itself": (path) => symlinkSync(basename(path), path),
  "a folder": (path) => mkdirSync(path),
};

/** Replaces each file by one of them, and returns a function that restores the files. */
export function plantAt(paths: readonly string[], plant: (path: string) => void): () => void {
  const kept = paths.map((path) => readFileSync(path));
  const put = (path: string, work: () => void) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(join(path, ".."), { recursive: true });
    work();
  };
  for (const path of paths) put(path, () => plant(path));
  return () => {
    for (const [i, path] of paths.entries()) put(path, () => writeFileSync(path, kept[i] ?? ""));
  };
}

/** All regular files in a folder and its subfolders. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
