import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { childScript } from "../support/child.ts";
import { PEAK_KB } from "../support/peak-memory.ts";
import { filesBelow, PLANTS, plantAt } from "../support/planting.ts";
import { temporaryWorld, write } from "../support/world.ts";

/** As OpenCode and pi have us: in their own process, which nothing of ours may keep waiting. */
const INSIDE = `
import { follow } from "./src/hosts/shared/follow.ts";
import { loadHistory } from "./src/hosts/index.ts";
import { findProject } from "./src/moments/project/project.ts";
import { SOURCES } from "./src/sources/index.ts";
const [root] = process.argv.slice(2);
const common = (host) => ({ session: { host, id: "s1" }, project: findProject(root), cwd: root, at: Date.now() });
const tool = { name: "edit", input: {}, files: [{ path: "z.ts", access: "edit" }] };
const moments = [
  { name: "start" }, { name: "prompt", prompt: "go on with z.ts" }, { name: "tool", tool },
  { name: "compacting", trigger: "auto" }, { name: "compacted" }, { name: "resume" }, { name: "idle" }, { name: "end", why: "exit" },
];
const texts = { opencode: "", pi: "" };
for (const where of Object.keys(texts))
  for (const moment of moments) {
    const options = { where, env: process.env, now: Date.now, sources: SOURCES, history: loadHistory };
    texts[where] += (await follow(options, () => ({ kind: "moment", moment: { ...common(where), ...moment } }))).text;
  }
console.log(JSON.stringify({ texts, peak: ${PEAK_KB} }));
process.exit(0);
`;

let script: Promise<string> | undefined;

describe.skipIf(process.platform === "win32")("inside a host, when every file that is read is", () => {
  it.each(Object.entries(PLANTS))(
    "%s, every moment is answered within 150 MB",
    async (_, plant) => {
      const world = temporaryWorld({
        ".continuo/rules/a.md": "Rule A.",
        ".continuo/rules/extension.md": "---\nproject: [browser-extension]\n---\nFor extensions.",
        ".continuo/rules/client.md": '---\nglobs: "**/*.ts"\nfileContains: ["use client"]\n---\nFor clients.',
        "manifest.json": "{}",
        "z.ts": "",
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/config": "",
      });
      write(world.home.root, {
        "config.json": "{}",
        "trust.json": "{}",
        "memory/note.md": "About [[project]].",
        "logs/told": "x",
      });
      write(join(world.root, "..", "user"), { ".pai/seed.json": "{}" });
      script ??= childScript(mkdtempSync(join(tmpdir(), "inside-")), INSIDE);
      const all = filesBelow(join(world.root, ".."));
      plantAt(
        all.filter((path) => !path.endsWith(join("rules", "a.md"))),
        plant,
      );
      // Else garbage piles up while threads that collect it wait for a processor.
      const out = execFileSync(process.execPath, ["--single-threaded-gc", await script, world.root], {
        env: world.env,
        encoding: "utf8",
        timeout: 60_000,
        killSignal: "SIGKILL",
        stdio: ["ignore", "pipe", "ignore"],
      });
      const { texts, peak } = JSON.parse(out.trim().split("\n").at(-1) ?? "");
      for (const host of ["opencode", "pi"]) expect(texts[host], host).toContain("Rule A.");
      expect(peak).toBeLessThan(150 * 1024);
    },
    90_000,
  );
});
