import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mountedDisk, readOnlyDisk } from "../support/disk.ts";
import { write } from "../support/world.ts";
import { continuo, hook, type Place, place, startHost } from "./program.ts";

const LINE = "An instruction of one line that says how to write code in this project.\n";

describe("DEL-1", () => {
  // As long as a real instruction: 14.7 KB.
  const FILES = {
    ".continuo/rules/a-big.md": LINE.repeat(201),
    ".continuo/rules/b.md": "Use pnpm.",
    ".continuo/rules/c.md": "No default exports.",
  };

  it("DEL-1: a rule of 14.7 KB and two of one line reach Claude Code's model whole by the first prompt", async () => {
    const event = await startHost(place(FILES), "claude-code");
    const start = await event("SessionStart", { source: "startup" });
    const text = start + (await event("UserPromptSubmit", { prompt: "hello" }));
    expect(text).toContain("Use pnpm.");
    expect(text).toContain("No default exports.");
    expect(text.split(LINE.trim())).toHaveLength(202);
  });

  it("DEL-1: a rule that can never arrive is named by rules check, rules list, start and doctor", async () => {
    const at = place({ ".continuo/rules/huge.md": LINE.repeat(1200), ".continuo/rules/b.md": "Use pnpm." });
    for (const args of [["doctor"], ["rules", "list"], ["rules", "check"]])
      expect((await continuo(at, args)).stdout, args.join(" ")).toMatch(/huge\.md is never delivered/);
    expect((await continuo(at, ["start", "--host", "claude-code"])).stdout).toMatch(/left out: huge\.md/);
    expect((await hook(at, "SessionStart")).stdout).toContain("Use pnpm.");
  });
});

/** An unusable home; undefined if this machine cannot create one. */
const HOMES: Readonly<Record<string, (at: Place) => string | undefined>> = {
  "a file": (at) => {
    write(at.folder, { file: "x" });
    return join(at.folder, "file");
  },
  "a read-only disk": () => readOnlyDisk(),
  "a full disk": () => {
    const folder = mountedDisk("size=64k");
    if (folder !== undefined)
      execFileSync("sh", ["-c", `cat /dev/urandom > '${folder}/fill' 2>/dev/null || true`]);
    return folder;
  },
};

describe.each(Object.entries(HOMES))("DEL-2", (name, make) => {
  it(`DEL-2: rules are delivered although the home is ${name}`, async (context) => {
    const at = place({ ".continuo/rules/a.md": "Rule A." });
    const home = make(at);
    if (home === undefined) return context.skip("this machine cannot make one");
    const env = { ...at.env, CONTINUO_HOME: home };
    expect((await hook(at, "SessionStart", {}, { env })).stdout).toContain("Rule A.");
  });
});

describe("DEL-6", () => {
  it("DEL-6: a working folder of 200,000 characters is answered with the user's rules", async () => {
    const at = place();
    write(at.home, { "rules/mine.md": "Rule of the user." });
    const { stdout } = await hook(at, "SessionStart", { cwd: "/a".repeat(100_000) });
    expect(stdout).toContain("Rule of the user.");
  });

  it("DEL-6: a relative CONTINUO_HOME makes no folder in the project", async () => {
    const at = place({ ".continuo/rules/a.md": "Rule A." });
    const env = { ...at.env, CONTINUO_HOME: "my-home" };
    expect((await hook(at, "SessionStart", {}, { env })).stdout).toContain("Rule A.");
    expect(readdirSync(at.root)).toEqual([".continuo"]);
  });

  it.skipIf(process.platform !== "linux")(
    "DEL-6: a home below /proc does not keep a start from its rules",
    async () => {
      const at = place({ ".continuo/rules/a.md": "Rule A." });
      const env = { ...at.env, CONTINUO_HOME: "/proc/x" };
      rmSync(at.home, { recursive: true });
      expect((await hook(at, "SessionStart", {}, { env })).stdout).toContain("Rule A.");
    },
  );
});
