import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT, runScript } from "../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../support/world.ts";

/** A copy of the source that a newcomer changes as CONTRIBUTING.md says. */
function copyOfSource() {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder, path);
  cpSync(join(ROOT, "src"), at("src"), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), at("node_modules"), "junction");
  const config = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8"));
  writeFileSync(at("package.json"), '{ "type": "module" }');
  writeFileSync(
    at("tsconfig.json"),
    JSON.stringify({ ...config, include: ["src"], exclude: ["src/web/page"] }),
  );
  return {
    addFolder: (from: string, to: string) =>
      cpSync(join(ROOT, "test/house/toys", from), at(to), { recursive: true }),
    /** Replaces what occurs exactly once. */
    change(path: string, before: string, after: string) {
      const parts = readFileSync(at(path), "utf8").split(before);
      expect(parts, `${path}: ${before}`).toHaveLength(2);
      writeFileSync(at(path), parts.join(after));
    },
    /** Files in which the compiler finds something wrong. */
    compile() {
      const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
      const { stdout } = spawnSync(
        process.execPath,
        [tsc, "--noEmit", "--incremental", "--tsBuildInfoFile", "b"],
        { cwd: folder, encoding: "utf8" },
      );
      return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, path]) => path))];
    },
    async commandLine(): Promise<string> {
      mkdirSync(at("dist"));
      await build({
        absWorkingDir: folder,
        entryPoints: ["src/entries/cli.ts"],
        outfile: "dist/continuo.cjs",
        bundle: true,
        platform: "node",
        format: "cjs",
        mainFields: ["module", "main"],
        external: ["bun:sqlite"],
        alias: { "@modelcontextprotocol/server/_shims": "./src/hosts/mcp/sdk-shims.ts" },
        define: { CONTINUO_VERSION: '"0.0.0"' },
        logLevel: "silent",
      });
      return at("dist/continuo.cjs");
    },
  };
}

describe("adding a host and a source, as CONTRIBUTING.md says,", () => {
  it("is a folder, a name and a line each; the compiler asks for what is missing, and everything works", async () => {
    const copy = copyOfSource();
    copy.change("src/base/host-names.ts", '"gemini"]', '"gemini", "acme"]');
    expect(copy.compile()).toEqual(["src/hosts/index.ts"]);

    copy.addFolder("acme", "src/hosts/acme");
    copy.change("src/hosts/index.ts", "  gemini,\n};", "  gemini,\n  acme,\n};");
    copy.change(
      "src/hosts/index.ts",
      'from "./gemini/index.ts";',
      'from "./gemini/index.ts";\nimport { acme } from "./acme/index.ts";',
    );
    copy.addFolder("todos", "src/sources/todos");
    copy.change("src/sources/index.ts", "seed, sessions];", "seed, sessions, todos];");
    copy.change(
      "src/sources/index.ts",
      'from "./sessions/index.ts";',
      'from "./sessions/index.ts";\nimport { todos } from "./todos/index.ts";',
    );
    copy.change("src/sources/order.ts", '  "notes at a start",', '  "todos",\n  "notes at a start",');
    expect(copy.compile()).toEqual([]);

    const script = await copy.commandLine();
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    write(world.env["HOME"] ?? "", { ".acme/sessions/s1.jsonl": '{"prompt":"Count the herons"}\n' });
    const run = async (args: string[], stdin = "") => {
      const { stdout, stderr } = await runScript(script, args, { env: world.env, cwd: world.root, stdin });
      return stdout + stderr;
    };
    expect(await run(["start"])).toMatch(/Rule A\.[\s\S]*water the plants/);
    expect(await run(["config", "sources.todos.word"])).toContain("water the plants");
    const payload = JSON.stringify({ id: "s2", cwd: world.root, source: "new" });
    expect(JSON.parse(await run(["hook", "acme", "Begin"], payload))).toEqual({
      additionalContext: expect.stringContaining("Rule A."),
    });
    expect(await run(["install", "acme"])).toContain("Acme");
    expect(await run(["doctor", "--verbose"])).toContain("Acme");
    expect(await run(["sessions", "search", "herons", "--json"])).toContain("acme --continue s1");
  });
});
