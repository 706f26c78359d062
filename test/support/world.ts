import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Item, Section } from "../../src/compose/section.ts";
import type { Source } from "../../src/moments/ports/source.ts";
import type { Project } from "../../src/moments/types.ts";
import { type Config, loadConfig, rulesLimitBeside } from "../../src/store/config.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import { clearPools } from "../../src/store/pool.ts";

/** A folder for one test, removed afterwards. */
export function temporaryFolder(name = "continuo"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  onTestFinished(() => {
    clearPools(); // a process that lives on keeps indexes open
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}

export function write(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A project folder with the given files, and a home next to it. */
export function temporaryWorld(files: Record<string, string> = {}): {
  root: string;
  home: Home;
  /** The person's home folder, which is not made. */
  user: string;
  project: Project;
  env: NodeJS.ProcessEnv;
} {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  mkdirSync(root);
  write(root, files);
  const [home, user] = [homeAt(join(folder, "home")), join(folder, "user")];
  return {
    root,
    home,
    user,
    project: { id: root, root, label: "project" },
    // TMPDIR too: failures without a home are recorded in the temporary folder.
    env: {
      CONTINUO_HOME: home.root,
      HOME: user,
      TMPDIR: folder,
      PATH: process.env["PATH"] ?? "",
    },
  };
}

/** The deadlines are far away unless a test sets them: no other test may depend on how fast a source answers. */
export function configFor(sources: readonly Source[], overrides: Partial<Config> = {}): Config {
  const { config } = loadConfig("/nowhere/config.json", sources, {});
  const rulesLimit = rulesLimitBeside(overrides.tokenLimit ?? config.tokenLimit);
  return { ...config, momentDeadlineMs: 60_000, sourceDeadlineMs: 50_000, rulesLimit, ...overrides };
}

export function item(key: string, text: string, more: Partial<Item> = {}): Item {
  return { key, name: key, text, reason: "test", priority: 0, ...more };
}

export function section(items: readonly Item[], more: Partial<Section> = {}): Section {
  return {
    source: "rules",
    title: "Rules",
    nature: "instructions",
    priority: 100,
    essential: true,
    items,
    ...more,
  };
}
