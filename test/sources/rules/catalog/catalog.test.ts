import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CatalogPlace } from "../../../../src/sources/rules/catalog/catalog.ts";
import type { Catalog } from "../../../../src/sources/rules/catalog/catalog-rule.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { readRules, type World } from "../read-rules.ts";

/** At the present time, when files that were just written are still young. */
const read = (world: World, more: Partial<CatalogPlace> = {}) =>
  readRules(world, { now: Date.now(), ...more });
const keys = (catalog: Catalog) => catalog.rules.map((rule) => rule.file.key);

const EVERYTHING = {
  ".continuo/rules/own.md": "Own.",
  ".opencode/rules/deep/open.md": "Open.",
  ".cursor/rules/cursor.mdc": "---\nglobs: **/*.ts\nalwaysApply: false\n---\nCursor.",
  ".github/instructions/copilot.instructions.md": "---\napplyTo: '**/*.ts'\n---\nCopilot.",
  ".github/instructions/readme.md": "Not an instruction.",
  ".claude/rules/claude.md": "---\npaths: ['src/**']\n---\nClaude.",
  ".windsurf/rules/windsurf.md": "---\ntrigger: always_on\n---\nWindsurf.",
  ".clinerules/cline.md": "Cline.",
  "AGENTS.md": "Left to the host.",
  "sub/CLAUDE.md": "Left to the host.",
};

describe("readCatalog", () => {
  it("finds existing rules in every tool's folder", async () => {
    const catalog = await read(temporaryWorld(EVERYTHING));
    expect(keys(catalog)).toEqual([
      ".continuo/rules/own.md",
      ".opencode/rules/deep/open.md",
      ".cursor/rules/cursor.mdc",
      ".github/instructions/copilot.instructions.md",
      ".claude/rules/claude.md",
      ".windsurf/rules/windsurf.md",
      ".clinerules/cline.md",
    ]);
    expect(catalog.rejects).toEqual([]);
  });

  it("leaves a folder to the host that reads it itself, unless a setting says otherwise, and each can be switched off", async () => {
    const world = temporaryWorld(EVERYTHING);
    expect(keys(await read(world, { host: "claude-code" }))).not.toContain(".claude/rules/claude.md");
    expect(keys(await read(world, { host: "claude-code", settings: { claude: "on" } }))).toContain(
      ".claude/rules/claude.md",
    );
    expect(keys(await read(world, { settings: { cursor: "off", cline: "off" } }))).not.toContain(
      ".cursor/rules/cursor.mdc",
    );
  });

  it("reads global folders after the project's, and a project's rule replaces a global one of the same name", async () => {
    const world = temporaryWorld({ ".opencode/rules/shared.md": "Project says." });
    write(world.home.root, { "rules/shared.md": "Global says.", "rules/global.md": "Global only." });
    write(world.env["HOME"]!, { ".config/opencode/rules/open.md": "Open global." });
    const catalog = await read(world);
    expect(keys(catalog)).toEqual([
      ".opencode/rules/shared.md",
      "CONTINUO_HOME/rules/global.md",
      "OpenCode's global rules/open.md",
    ]);
    expect(catalog.repeated.map(({ file }) => file.path)).toEqual([join(world.home.root, "rules/shared.md")]);
  });

  it("uses exactly one of OpenCode's global folders", async () => {
    const world = temporaryWorld();
    const home = world.env["HOME"]!;
    write(home, {
      "custom/rules/a.md": "A.",
      "xdg/opencode/rules/b.md": "B.",
      ".config/opencode/rules/c.md": "C.",
    });
    const bodies = async (more: NodeJS.ProcessEnv) =>
      (await read(world, { env: { ...world.env, ...more } })).rules.map((rule) => rule.body);
    expect(await bodies({})).toEqual(["C."]);
    expect(await bodies({ XDG_CONFIG_HOME: join(home, "xdg") })).toEqual(["B."]);
    expect(
      await bodies({ XDG_CONFIG_HOME: join(home, "xdg"), OPENCODE_CONFIG_DIR: join(home, "custom") }),
    ).toEqual(["A."]);
  });

  it("uses the same rule once if it is in two folders or found through a link", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "Same.", ".opencode/rules/b.md": "Same." });
    symlinkSync(join(world.root, ".continuo/rules/a.md"), join(world.root, ".continuo/rules/link.md"));
    symlinkSync(join(world.root, ".continuo/rules"), join(world.root, ".continuo/rules/loop"));
    symlinkSync("/nowhere/at/all", join(world.root, ".continuo/rules/dangling.md"));
    const catalog = await read(world);
    expect(catalog.rules).toHaveLength(1);
    expect(catalog.repeated).toHaveLength(1);
    expect(catalog.rejects.map((one) => one.code)).toEqual(["rule-unreadable"]);
  });

  it("refuses a link in a project's folder that leads out of the project", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "A." });
    write(world.env["HOME"]!, { "credentials.md": "secret" });
    symlinkSync(join(world.env["HOME"]!, "credentials.md"), join(world.root, ".continuo/rules/steal.md"));
    symlinkSync(world.env["HOME"]!, join(world.root, ".continuo/rules/all"));
    const catalog = await read(world);
    expect(catalog.rules.map((rule) => rule.body)).toEqual(["A."]);
    expect(catalog.rejects.map((one) => one.message).join()).toContain("leads out of the project");
  });

  it("keeps two different guards that have no text", async () => {
    const guard = (match: string) => `---\nguard: { action: deny, tool: Bash, match: '${match}' }\n---\n`;
    const catalog = await read(
      temporaryWorld({ ".continuo/rules/a.md": guard("rm -rf"), ".continuo/rules/b.md": guard("git push") }),
    );
    expect(catalog.rules.flatMap((rule) => rule.checks)).toHaveLength(2);
  });

  it("sees a changed rule at once, and does not read unchanged ones again", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "First." });
    const path = join(world.root, ".continuo/rules/a.md");
    const later = Date.now() + 60_000; // by then the file has settled and is cached
    expect((await read(world, { now: later })).rules[0]?.body).toBe("First.");
    // Same size and times: only a reader that uses the cache still returns "First."
    const past = new Date(Date.now() - 5000);
    utimesSync(path, past, past);
    await read(world, { now: later });
    writeFileSync(path, "Other.");
    expect((await read(world, { now: later })).rules[0]?.body).toBe("Other.");
  });

  it("reports what is wrong with each bad file, and loads the others", async () => {
    const world = temporaryWorld({
      ".continuo/rules/good.md": "Good.",
      ".continuo/rules/unclosed.md": "---\nglobs: x\nBody",
      ".continuo/rules/typo.md": "---\nglob: '*.ts'\n---\nBody",
      ".continuo/rules/wrong.md": "---\nci: perhaps\n---\nBody",
      ".continuo/rules/huge.md": "x".repeat(300_000),
    });
    write(world.root, { ".continuo/rules/binary.md": Buffer.from([0xff, 0xfe, 0x00]) });
    const catalog = await read(world);
    expect(catalog.rules.map((rule) => rule.body)).toEqual(["Good."]);
    expect(catalog.rejects.map((one) => one.code).sort()).toEqual([
      "rule-condition",
      "rule-not-utf8",
      "rule-too-large",
      "rule-unclosed",
      "rule-unknown-key",
    ]);
  });
});
