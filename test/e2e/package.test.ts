import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../support/child.ts";

const folder = mkdtempSync(join(tmpdir(), "continuo-package-"));
/** A user's Node is outside of every project; `install:global` passes over one that a project brings. */
const programs = mkdtempSync(join(tmpdir(), "continuo-programs-"));
symlinkSync(process.execPath, join(programs, "node"));
afterAll(() => rmSync(programs, { recursive: true }));
const env = {
  // Only npm's settings for reaching a registry (certificates, its address) come from the machine.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^CONTINUO_/i.test(name))),
  npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
  PATH: `${programs}:${process.env["PATH"]}`,
  HOME: join(folder, "home"),
  npm_config_cache: join(folder, "cache"),
};

function run(command: string, args: string[], cwd = folder): string {
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** What users get: the packed package, installed into an empty folder without a registry. */
describe("the published package", () => {
  let tarball = "";
  let warnings: string[] = [];
  beforeAll(() => {
    mkdirSync(env.HOME);
    tarball = run(process.execPath, [join(ROOT, "scripts", "pack.mjs"), folder], ROOT).trim();
    writeFileSync(join(folder, "package.json"), '{ "name": "user", "type": "module" }');
    // npm says on stderr what it dislikes about a package, such as scripts that it did not run.
    const npm = ["install", "--offline", "--no-audit", "--no-fund", tarball];
    const installed = spawnSync("npm", npm, { cwd: folder, env, encoding: "utf8" });
    expect(installed.status, installed.stderr).toBe(0);
    warnings = installed.stderr.split("\n").filter((line) => /continuo|install-scripts/.test(line));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("contains what its exports map lists and no build metadata", () => {
    const installed = join(folder, "node_modules", "continuo");
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /meta\.json$|\.map$|benchmarks/.test(file))).toEqual([]);
    const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const targets = Object.values<string | Record<string, string>>(exports).flatMap((one) =>
      typeof one === "string" ? [one] : Object.values(one),
    );
    expect(targets.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    // Of what is bundled; the package's own is beside the README.
    expect(files.filter((file) => /THIRD-PARTY-LICENSES/.test(file))).toHaveLength(2);
  });

  it("is installed without a warning, and npm would publish it", () => {
    expect(warnings).toEqual([]);
    const dry = ["publish", tarball, "--dry-run", "--provenance", "--access", "public", "--json"];
    const listed = run("npm", dry);
    expect(listed).toContain('"name": "continuo"');
  });

  it("contains what users need: no sources, tests, pictures or scripts", () => {
    const installed = join(folder, "node_modules", "continuo");
    expect(readdirSync(installed).sort()).toEqual([
      "CHANGELOG.md",
      "CONTEXT.md",
      "CONTRIBUTING.md",
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "package.json",
      "samples",
    ]);
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(
      files.filter((file) => /\.(?:png|svg|tsx)$|(?<!\.d)\.ts$|\.test\./.test(file) && !/samples/.test(file)),
    ).toEqual([]);
  });

  it("has no dependencies and includes its sample", () => {
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "continuo",
    ]);
    expect(run(join(folder, "node_modules", ".bin", "continuo"), ["start", "--sample-if-empty"])).toContain(
      "Prices are integers in cents",
    );
  });

  it("exports what its exports map lists, with types", () => {
    writeFileSync(
      join(folder, "use.mjs"),
      `import { createEngine, findProject, SOURCES } from "continuo";
       import { compose, countTokens } from "continuo/compose";
       import { formatContextForResume, mergeContextSet } from "continuo/context";
       import { continuo, mergeHooks } from "continuo/copilot";
       import { parseRule, readCatalog } from "continuo/rules";
       import * as seed from "continuo/seed";
       console.log(Object.keys(seed).sort().join());
       console.log([createEngine, findProject, compose, countTokens, continuo, mergeHooks, parseRule, readCatalog, mergeContextSet, formatContextForResume].every((one) => typeof one === "function"), SOURCES.length > 0);`,
    );
    expect(run(process.execPath, [join(folder, "use.mjs")])).toBe(
      "formatIdentitySummary,formatLearningSummary,formatProposals,formatSessionState,generateSessionContext,isFirstRun,loadSeed,loadSeedWithGit,resolveSeedPath,sessionStartHook\ntrue true\n",
    );
    writeFileSync(
      join(folder, "use.ts"),
      `import { compose, type Composition } from "continuo/compose";
       import { type Engine } from "continuo";
       import { type Client, continuo } from "continuo/copilot";
       import { type Rule } from "continuo/rules";
       import { type ContextMode, generateSessionContext, type IdentityLayer, type LearnedLayer, type Proposal, type SeedConfig, type SessionContext, type SessionContextOptions, type StateLayer } from "continuo/seed";
       const mode: ContextMode = "full";
       const options: SessionContextOptions = { mode };
       export const told: Promise<SessionContext> = generateSessionContext("/seed.json", options);
       export type Layers = [SeedConfig, IdentityLayer, LearnedLayer, StateLayer, Proposal[]];
       export const made: Composition = compose("snapshot", [], { limit: 1, aim: 1 });
       export type Both = [Engine, Rule];
       export const woven = (client: Client<{ model: string }, object, number>) => continuo(client).createSession({ model: "m" });`,
    );
    const flags = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--skipLibCheck",
      "--types",
      "",
    ];
    expect(run(join(ROOT, "node_modules", ".bin", "tsc"), [...flags, "use.ts"])).toBe("");
  });

  it("installs hooks that name the installed copy", () => {
    mkdirSync(join(env.HOME, ".claude"), { recursive: true });
    run(join(folder, "node_modules", ".bin", "continuo"), ["install", "claude-code"]);
    expect(readFileSync(join(env.HOME, ".claude", "settings.json"), "utf8")).toContain(
      join(folder, "node_modules", "continuo", "dist", "continuo.cjs"),
    );
    expect(run(join(folder, "node_modules", ".bin", "continuo"), ["doctor", "--verbose"])).toContain(
      "installed (",
    );
  });

  it("runs through npx without wiring an agent to npm's temporary cache", () => {
    mkdirSync(join(env.HOME, ".codex"), { recursive: true });
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere, { recursive: true });
    // npx looks for a relative path from the nearest project on.
    writeFileSync(join(elsewhere, "package.json"), "{}");
    cpSync(join(folder, tarball ?? ""), join(elsewhere, "continuo.tgz"));
    const out = run("npx", ["--yes", "--offline", "./continuo.tgz", "--yes"], elsewhere);
    expect(out).toContain("Not connected: ");
    expect(out).toContain(`npm install -g ${join(elsewhere, "continuo.tgz")} && continuo`);
    expect(existsSync(join(env.HOME, ".codex", "hooks.json"))).toBe(false);
    // Without a terminal and without --yes: the help.
    expect(run("npx", ["--yes", "--offline", "./continuo.tgz"], elsewhere)).toContain("continuo help");
  });
});

/** As the README says, in a fresh clone: nothing was installed or built in it before. */
describe("npm run install:global in a fresh clone", () => {
  const place = mkdtempSync(join(tmpdir(), "continuo-global-"));
  const clone = join(place, "clone");
  const prefix = join(place, "prefix");
  const other = join(place, "other");
  const program = join(prefix, "bin", "continuo");
  let fetched: string[] = [];
  beforeAll(() => {
    mkdirSync(env.HOME, { recursive: true });
    const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    for (const file of run("git", list, ROOT)
      .split("\0")
      .filter((name) => existsSync(join(ROOT, name)) && name !== "")) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      cpSync(join(ROOT, file), join(clone, file));
    }
    execFileSync("npm", ["run", "install:global"], {
      cwd: clone,
      env: { ...env, npm_config_prefix: prefix },
      stdio: ["ignore", "pipe", "pipe"],
    });
    fetched = readdirSync(join(clone, "node_modules"));
    run("npm", ["install", "-g", ".", "--prefix", other, "--no-audit", "--no-fund"], clone);
    rmSync(clone, { recursive: true });
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it("installs a copy that works without the clone", () => {
    expect(lstatSync(join(prefix, "lib", "node_modules", "continuo")).isSymbolicLink()).toBe(false);
    expect(run(program, ["start", "--sample-if-empty"])).toContain("Prices are integers in cents");
    const wired = run(program, ["install", "claude-code", "--dry-run"]);
    expect(wired).not.toContain(clone);
  });

  it("says after uninstall --data how to remove the program too", () => {
    run(program, ["note", "Staging has no cron jobs."]);
    const said = run(program, ["uninstall", "--all", "--data", "--yes"]);
    expect(said).toContain("To remove the program too: npm uninstall -g continuo");
  });

  it("fetches no package that only tests need", () => {
    expect(fetched).toContain("esbuild");
    expect(fetched.filter((name) => ["vitest", "node", "@biomejs", "@sparticuz"].includes(name))).toEqual([]);
  });

  it("does the same as npm install -g ., where npm runs the package's scripts", () => {
    expect(lstatSync(join(other, "lib", "node_modules", "continuo")).isSymbolicLink()).toBe(false);
    expect(run(join(other, "bin", "continuo"), ["--version"])).toMatch(/^\d+\./);
  });
});
