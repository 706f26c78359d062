import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../../../src/sources/profile/learning/profile.ts";
import type { Learning, Proposal, SeedConfig } from "../../../src/sources/profile/types.ts";
import { temporaryFolder, write } from "../../support/world.ts";

export const NOW = Date.parse("2026-02-10T12:00:00.000Z");

/** A realistic seed, written by hand and not by the code under test. */
export function exampleSeed(more: { learned?: object; state?: object; identity?: object } = {}): SeedConfig {
  return {
    version: "1.0.0",
    identity: {
      principalName: "Daniel",
      aiName: "Ivy",
      catchphrase: "Ivy here, ready to go.",
      voiceId: "default",
      preferences: { responseStyle: "adaptive", timezone: "Europe/Zurich", locale: "en-US" },
      ...more.identity,
    },
    learned: { patterns: [], insights: [], selfKnowledge: [], ...more.learned },
    state: { proposals: [], activeProjects: [], ...more.state },
  };
}

export function learning(id: string, content: string, more: Partial<Learning> = {}): Learning {
  return {
    id,
    content,
    source: "session-1",
    extractedAt: "2026-02-01T10:00:00Z",
    confirmedAt: "2026-02-02T10:00:00Z",
    confirmed: true,
    tags: [],
    ...more,
  };
}

export function proposal(id: string, content: string, more: Partial<Proposal> = {}): Proposal {
  return {
    id,
    type: "pattern",
    content,
    source: "abc-123",
    extractedAt: "2026-02-05T10:00:00Z",
    status: "pending",
    ...more,
  };
}

/** A folder with this seed, inside a temporary home. */
export function seedFolder(seed: unknown = exampleSeed()): { home: string; folder: string; path: string } {
  const home = temporaryFolder("continuo-seed");
  const folder = join(home, ".pai");
  const text = typeof seed === "string" ? seed : `${JSON.stringify(seed, null, 2)}\n`;
  write(folder, { "seed.json": text });
  return { home, folder, path: join(folder, "seed.json") };
}

/** As commands find it: the seed, and Continuo's home below the same user's folder. */
export function placeAt(path: string): Place {
  return { seed: path, home: join(dirname(path), "..", ".continuo") };
}

export function parsed(path: string): SeedConfig {
  return JSON.parse(readFileSync(path, "utf8")) as SeedConfig;
}

/** Git as a user would run it. */
export function git(folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
  return execFileSync("git", ["-C", folder, ...who, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** Every file in the folder with its content, to check that nothing was changed. */
export function everything(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "latin1")];
    }),
  );
}
