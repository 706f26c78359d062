import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTrust, setTrust } from "../../src/store/trust.ts";
import { childScript, runScript } from "../support/child.ts";
import { temporaryWorld } from "../support/world.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");
const GOOD = { version: 1, projects: ["/a", "/b"], shown: { "/a": "f" } };

function place(content?: string) {
  const { home, root } = temporaryWorld();
  const file = join(home.root, "trust.json");
  mkdirSync(home.root, { recursive: true });
  if (content !== undefined) writeFileSync(file, content);
  return { home, file, root };
}

describe("the file of trusted projects", () => {
  it("is empty if absent, and keeps what older versions wrote", async () => {
    expect(readTrust(place().home)).toEqual({ projects: [], shown: {}, runs: {} });
    const { home } = place(JSON.stringify({ version: 1, projects: ["/a"] }));
    await setTrust(home, "/b", "f2", NOW);
    expect(readTrust(home)).toEqual({ projects: ["/a", "/b"], shown: { "/b": "f2" }, runs: {} });
    await setTrust(home, "/a", undefined, NOW);
    await setTrust(home, "/b", undefined, NOW);
    expect(readTrust(home)).toEqual({ projects: [], shown: {}, runs: {} });
  });

  it("keeps the accepted commands of each project, and forgets them when they are not shown again", async () => {
    const { home, file } = place();
    await setTrust(home, "/a", "f", NOW, ["one", "two"]);
    await setTrust(home, "/b", "f", NOW, ["three"]);
    expect(readTrust(home).runs).toEqual({ "/a": ["one", "two"], "/b": ["three"] });
    await setTrust(home, "/a", "f", NOW);
    expect(readTrust(home).runs).toEqual({ "/b": ["three"] });
    await setTrust(home, "/b", undefined, NOW);
    expect(readTrust(home)).toMatchObject({ projects: ["/a"], runs: {} });
    for (const [runs, accepted] of [
      ["all", {}],
      [["x"], {}],
      [{ "/a": "one" }, { "/a": [] }],
      [{ "/a": ["one", 1, null] }, { "/a": ["one"] }],
    ]) {
      writeFileSync(file, JSON.stringify({ ...GOOD, runs }));
      expect(readTrust(home)).toMatchObject({ projects: GOOD.projects, runs: accepted });
    }
  });

  it.each([
    ["cut off", '{"version":1,"projects":["/a","/b', ["/a"]],
    ["with a comma too many", '{"version":1,"projects":["/a","/b",]}', ["/a", "/b"]],
    ["empty", "", []],
    ["of zeros", "\u0000\u0000\u0000", []],
    ["a list", '["/a"]', ["/a"]],
    ["without projects", '{"version":1}', []],
    ["with projects of another shape", '{"version":1,"projects":{"x":"/a"}}', ["/a"]],
    ["with an entry that is no project", '{"version":1,"projects":["/a",7]}', ["/a"]],
    ["without a version", '{"projects":["/a"]}', ["/a"]],
  ])(
    "%s is damaged: nobody is trusted, and the next change keeps it aside and what it still names",
    async (_how, content, kept) => {
      const { home, file } = place(content);
      const { projects, damage } = readTrust(home);
      expect(projects).toEqual([]);
      expect(damage?.message).toContain(file);
      expect(damage?.hint).toContain("continuo rules trust");
      const aside = await setTrust(home, "/new", "f", NOW);
      expect(aside).toEqual({ path: `${file}.damaged-2026-01-02T03-04-05-000Z`, projects: kept.length });
      expect(readFileSync(aside?.path ?? "", "utf8")).toBe(content);
      expect(readTrust(home).projects).toEqual([...kept, "/new"].sort());
      expect(readTrust(home).damage).toBeUndefined();
    },
  );

  it("that is a folder, or cannot be read, also counts as damaged and is kept aside", async () => {
    const folder = place();
    mkdirSync(folder.file);
    writeFileSync(join(folder.file, "x"), "");
    expect(readTrust(folder.home).damage?.message).toContain("not a regular file");
    const aside = await setTrust(folder.home, "/new", "f", NOW);
    expect(readdirSync(aside?.path ?? "")).toEqual(["x"]);
    expect(readTrust(folder.home).projects).toEqual(["/new"]);
    if (process.getuid?.() === 0) return; // root may read everything
    const closed = place(JSON.stringify(GOOD));
    chmodSync(closed.file, 0);
    expect(readTrust(closed.home)).toMatchObject({ projects: [], damage: { isNewer: false } });
  });

  it("of a newer version is neither used nor changed", async () => {
    const content = JSON.stringify({ ...GOOD, version: 2 });
    const { home, file } = place(content);
    expect(readTrust(home)).toMatchObject({
      projects: [],
      damage: { isNewer: true, hint: "update Continuo" },
    });
    await expect(setTrust(home, "/new", "f", NOW)).rejects.toMatchObject({ code: "trust-damaged" });
    expect(readFileSync(file, "utf8")).toBe(content);
  });

  it("loses nothing if ten processes change it at once", async () => {
    const { home, root, file } = place();
    const script = await childScript(
      dirname(root),
      `import { setTrust } from "./src/store/trust.ts";
       import { homeAt } from "./src/store/home.ts";
       for (let i = 0; i < 5; i++) await setTrust(homeAt(process.argv[2]), "/p" + process.argv[3] + i, "f", Date.now());`,
    );
    const runs = await Promise.all(
      [...Array(10).keys()].map((i) => runScript(script, [home.root, String(i)])),
    );
    expect(runs.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(Array(10).fill("0"));
    expect(readTrust(home).projects).toHaveLength(50);
    expect(existsSync(file)).toBe(true);
  });
});
