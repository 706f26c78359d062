import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm } from "../../scripts/npm.mjs";
import { packBuilt } from "../../scripts/pack.mjs";
import { temporaryFolder } from "./world.ts";

/** npm's global folder of its own, with this build in it, and the next one as a tarball. */
export interface TwoBuilds {
  readonly script: string;
  /** The command of a shell that updates it, as a person types it but for the folder. */
  readonly update: string;
  /** Whether the process with this id runs code of the next build. */
  isNext(pid: number): boolean;
}

const NEXT_BUILD = "0bd1f00d";
const NEXT_VERSION = "0.9.9";

export function installGlobally(): TwoBuilds {
  const folder = temporaryFolder("two-builds");
  const prefix = join(folder, "prefix");
  const first = packBuilt(join(folder, "first"));
  const next = nextBuild(first, folder);
  const install = (tarball: string) => ["install", "--global", "--offline", "--prefix", prefix, tarball];
  npm(install(first));
  // Not the npm that runs the tests: its environment would say where global packages are.
  const words = [...install(next), "--loglevel=error", "--no-audit", "--no-fund"];
  return {
    script: join(prefix, "lib", "node_modules", "continuo", "dist", "continuo.cjs"),
    update: `npm ${words.join(" ")}`,
    isNext: (pid) =>
      readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`).includes(NEXT_BUILD)),
  };
}

/** The same code as another build: other names of files, another version. */
function nextBuild(tarball: string, folder: string): string {
  const stage = join(folder, "next");
  mkdirSync(stage);
  execFileSync("tar", ["-xzf", tarball, "-C", stage]);
  const root = join(stage, "package");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ ...manifest, version: NEXT_VERSION }));
  const [, build = ""] =
    readdirSync(join(root, "dist"))
      .join(" ")
      .match(/code-(\w{8})\.cjs/) ?? [];
  for (const path of readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })) {
    if (!/\.cjs$/.test(path)) continue;
    const file = join(root, "dist", path);
    writeFileSync(file, readFileSync(file, "latin1").replaceAll(build, NEXT_BUILD), "latin1");
    renameSync(file, file.replace(build, NEXT_BUILD));
  }
  const packed = npm(["pack", "--json", "--pack-destination", stage], { cwd: root, returnsOutput: true });
  return join(stage, JSON.parse(packed)[0].filename);
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}
