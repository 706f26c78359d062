import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { rules } from "../../../../src/sources/rules/source.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { engineWorld } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { names, readWithLimits, type World } from "../read-rules.ts";

const GIT = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "" };

function link(world: World, from: string, to: string): void {
  mkdirSync(dirname(join(world.root, from)), { recursive: true });
  symlinkSync(to, join(world.root, from));
}

describe("a committed link in a rules folder", () => {
  it.each([
    ["the project's secrets", "../../.env"],
    ["secrets that end like a rule", "../../.env.md"],
    ["git's settings", "../../.git/config"],
    ["a Markdown file inside .git", "../../.git/notes.md"],
    ["a file of a hidden folder", "../../.ssh/key.md"],
    ["a file of a package", "../../node_modules/x/README.md"],
    ["the same in another case", "../../Node_Modules/x/README.md"],
    ["a file that is not Markdown", "../../secrets.yaml"],
    ["a file without an extension", "../../id_rsa"],
  ])("to %s is refused, and the text reaches neither model nor disk", async (_what, to) => {
    const place = temporaryWorld({
      ...GIT,
      ".continuo/rules/a.md": "Ordinary.",
      [to.replace("../../", "")]: "SECRET-OF-THE-USER",
    });
    link(place, ".continuo/rules/b.md", to);
    const world = engineWorld([rules], {}, place);
    const text = await world.start();
    expect(text).toContain("Ordinary.");
    expect(text).not.toContain("SECRET");
    expect(everythingIn(place.home.root)).not.toContain("SECRET");
    expect(world.trouble.map(({ error }) => String(error)).join()).toContain(
      "it is a link to something that is not a rule",
    );
  });

  it.each([
    [".git", "../../.git"],
    ["a hidden folder", "../../.ssh"],
    ["node_modules", "../../node_modules"],
    ["a folder inside node_modules", "../../node_modules/x"],
    ["of the project, for files in node_modules and hidden folders", "../.."],
  ])("to the folder %s does not make rules of its files", async (_what, to) => {
    const world = temporaryWorld({
      ...GIT,
      ".git/x.md": "SECRET",
      ".ssh/x.md": "SECRET",
      "node_modules/x/x.md": "SECRET",
    });
    link(world, ".continuo/rules/more", to);
    const catalog = await readWithLimits(world);
    expect(catalog.rules).toEqual([]);
    expect(catalog.rejects.map(({ code }) => code)).toContain("rule-unreadable");
  });

  it("in place of the rules folder itself follows the same rules", async () => {
    const world = temporaryWorld({ ...GIT, ".git/x.md": "SECRET", "docs/rules/a.md": "A." });
    link(world, ".continuo/rules", "../.git");
    link(world, ".opencode/rules", "../docs/rules");
    expect(names(await readWithLimits(world))).toEqual(["a.md"]);
  });

  it("to files that people keep for their agents works", async () => {
    const world = temporaryWorld({
      ...GIT,
      "AGENTS.md": "Agents.",
      "CLAUDE.md": "Claude.",
      "docs/style/ts.md": "Style.",
      "docs/team/go.md": "Go.",
      ".cursor/rules/c.mdc": "---\nalwaysApply: true\n---\nCursor.",
      ".github/copilot-instructions.md": "Copilot.",
      ".agents/one.md": "One.",
    });
    link(world, ".continuo/rules/agents.md", "../../AGENTS.md");
    link(world, ".continuo/rules/claude.md", "../../CLAUDE.md");
    link(world, ".continuo/rules/style.md", "../../docs/style/ts.md");
    link(world, ".continuo/rules/team", "../../docs/team");
    link(world, ".continuo/rules/from-cursor.mdc", "../../.cursor/rules/c.mdc");
    link(world, ".continuo/rules/copilot.md", "../../.github/copilot-instructions.md");
    link(world, ".continuo/rules/one.md", "../../.agents/one.md");
    link(world, ".github/instructions/again.instructions.md", "../../docs/style/ts.md");
    const catalog = await readWithLimits(world);
    expect(catalog.rejects).toEqual([]);
    expect(names(catalog)).toEqual([
      "agents.md",
      "claude.md",
      "copilot.md",
      "from-cursor.mdc",
      "one.md",
      "style.md",
      "team/go.md",
    ]);
  });

  it("that is refused is reported with its reason by check and doctor", async () => {
    const world = temporaryWorld({ ...GIT, ".env": "SECRET" });
    link(world, ".continuo/rules/b.md", "../../.env");
    for (const args of [["rules", "check"], ["doctor"], ["rules", "list"]]) {
      const { stdout } = await runScript(CONTINUO, args, { env: world.env, cwd: world.root });
      expect(stdout, args.join(" ")).toContain("it is a link to something that is not a rule");
      expect(stdout).not.toContain("SECRET");
    }
  }, 60_000);
});

describe("links of the user's own rules", () => {
  it("may lead anywhere", async () => {
    const world = temporaryWorld({});
    write(world.home.root, { "elsewhere/.hidden/x.md": "Mine." });
    mkdirSync(join(world.home.root, "rules"), { recursive: true });
    symlinkSync(join(world.home.root, "elsewhere/.hidden/x.md"), join(world.home.root, "rules/x.md"));
    expect(names(await readWithLimits(world))).toEqual(["x.md"]);
  });

  it("may lead anywhere in ~/.claude/rules too, which is outside of every project", async () => {
    const world = temporaryWorld({});
    write(world.env["HOME"] ?? "", { ".claude/rules/mine.md": "Mine." });
    const catalog = await readWithLimits(world);
    expect(catalog.rejects).toEqual([]);
    expect(names(catalog)).toEqual(["mine.md"]);
  });
});

describe("thousands of links", () => {
  it("in a loop are followed up to a limit, and the rules beside them are found", async () => {
    const world = temporaryWorld({ ".continuo/rules/zz.md": "Z." });
    for (let i = 0; i < 300; i++) link(world, `.continuo/rules/x${i}.md`, `x${(i + 1) % 300}.md`);
    const catalog = await readWithLimits(world);
    expect(names(catalog)).toEqual(["zz.md"]);
    expect(catalog.rejects.at(-1)?.message).toContain("200 links");
  });

  it("are not followed once the time is used up, except for the first few", async () => {
    const world = temporaryWorld({ "docs/x.md": "", ".continuo/rules/zz.md": "Z." });
    for (let i = 0; i < 30; i++) {
      write(world.root, { [`docs/${10 + i}.md`]: `Rule ${i}.` });
      link(world, `.continuo/rules/${10 + i}.md`, `../../docs/${10 + i}.md`);
    }
    let time = 0;
    const catalog = await readWithLimits(world, { sureLinks: 5 }, () => (time += 1000));
    expect(names(catalog)).toEqual(["10.md", "11.md", "12.md", "13.md", "14.md", "zz.md"]);
    expect(catalog.rejects[0]?.message).toContain("200 ms");
    expect(names(await readWithLimits(world))).toHaveLength(31);
  });
});

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}
