import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { walkNotes } from "../../../../src/sources/notes/files/list-notes.ts";
import { findRoots, type RootSettings } from "../../../../src/sources/notes/files/roots.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function rootsWith(
  files: Record<string, string>,
  settings: (folder: string) => RootSettings = () => ({}),
  env: NodeJS.ProcessEnv = {},
) {
  const world = temporaryWorld();
  const user = world.env["HOME"] as string;
  mkdirSync(user, { recursive: true });
  write(user, files);
  const found = findRoots(settings(user), world.home, { ...world.env, ...env });
  return { ...found, user, home: world.home.root };
}

describe("the main memory folder", () => {
  it("is Continuo's own by default", () => {
    const { roots, home, problems } = rootsWith({});
    expect(roots).toEqual([{ path: join(home, "memory"), kind: "continuo", isWritable: true }]);
    expect(problems).toEqual([]);
  });

  it("is maenifold's when it exists", () => {
    const { roots, user } = rootsWith({ "maenifold/memory/a.md": "x" });
    expect(roots).toEqual([{ path: join(user, "maenifold/memory"), kind: "maenifold", isWritable: true }]);
  });

  it("is the configured one, either maenifold's folder or the folder of the notes", () => {
    const files = { "data/memory/a.md": "x", "vault/.obsidian/app.json": "{}", "maenifold/memory/a.md": "x" };
    expect(rootsWith(files, (user) => ({ root: join(user, "data") })).roots[0]?.path).toMatch(/data.memory$/);
    expect(rootsWith(files, () => ({ root: "~/vault" })).roots[0]).toMatchObject({
      kind: "obsidian",
      isWritable: true,
    });
  });

  it("is the environment's before all others", () => {
    const { roots } = rootsWith({}, () => ({ root: "/elsewhere" }), { MAENIFOLD_ROOT: "/data/mae" });
    expect(roots[0]).toMatchObject({ path: join("/data/mae", "memory"), kind: "maenifold" });
  });

  it("is not a relative path, which would be a different folder in every project", () => {
    const { roots, problems } = rootsWith({}, () => ({ root: "notes" }));
    expect(roots[0]?.kind).toBe("continuo");
    expect(problems).toEqual([expect.objectContaining({ key: "memory.root" })]);
  });
});

describe("other programs' folders", () => {
  it("are recognised, read-only, and have their own addresses", () => {
    const files = {
      "Vault/.obsidian/app.json": "{}",
      "Vault/a.md": "x",
      "basic-memory/a.md": "x",
      ".claude/projects/-home-me-app/memory/MEMORY.md": "x",
      "graph/logseq/config.edn": "{}",
      "graph/pages/a.md": "x",
      "x/Vault/a.md": "x",
    };
    const { roots, problems } = rootsWith(files, () => ({
      also: ["~/Vault", "~/basic-memory", "~/.claude/projects/-home-me-app/memory", "~/graph", "~/x/Vault"],
    }));
    expect(problems).toEqual([]);
    expect(
      roots.slice(1).map((root) => [root.name?.replace(/-[0-9a-f]{6}$/, "-#"), root.kind, root.isWritable]),
    ).toEqual([
      ["vault", "obsidian", false],
      ["basic-memory", "basic-memory", false],
      ["claude-home-me-app", "claude-code", false],
      ["graph", "logseq", false],
      ["vault-#", "plain", false],
    ]);
    const uris = roots.flatMap((root) => [...walkNotes(root)].map((note) => note.uri));
    expect(uris.slice(0, 4)).toEqual([
      "memory://@vault/a",
      "memory://@basic-memory/a",
      "memory://@claude-home-me-app/MEMORY",
      "memory://@graph/pages/a",
    ]);
    expect(new Set(uris).size).toBe(5);
  });

  it("that are missing or already read are ignored, with a reason", () => {
    const { roots, problems } = rootsWith({ "maenifold/memory/in/a.md": "x" }, () => ({
      also: ["~/none", "relative", "~/maenifold/memory", "~/maenifold/memory/in", "~/maenifold"],
    }));
    expect(roots).toHaveLength(1);
    expect(problems).toHaveLength(5);
  });
});
