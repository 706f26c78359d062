import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BROKEN } from "../../../search/meaning/broken-tables.ts";
import { CONTINUO, ROOT, runScript } from "../../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

interface Finding {
  readonly what: string;
  readonly status: string;
  readonly detail: string;
}

/** The built package, or a copy of it with this table of meaning. */
function setUp(script: string) {
  const world = temporaryWorld();
  write(join(world.home.root, "memory"), {
    "locks.md": "# Locks\n\nA lock file guards the ledger against races.",
  });
  const run = (args: readonly string[], stdin = "") =>
    runScript(script, args, { env: world.env, cwd: world.root, stdin });
  const findings = async (what: string): Promise<Finding[]> => {
    const { stdout } = await run(["doctor", "--json"]);
    return (JSON.parse(stdout).data.findings as Finding[]).filter((one) => one.what === what);
  };
  const prompt = async (said: string) => {
    const moment = { session_id: "s1", cwd: world.root, prompt: said };
    return run(["hook", "claude-code", "UserPromptSubmit"], JSON.stringify(moment));
  };
  return { run, findings, prompt };
}

function packageWith(bytes: Uint8Array | undefined): string {
  const folder = temporaryFolder();
  cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  const table = join(folder, "dist/claude-code-plugin/dist/meaning.bin");
  if (bytes === undefined) rmSync(table);
  else writeFileSync(table, bytes);
  return join(folder, "dist/continuo.cjs");
}

describe("the table of meaning of the package", () => {
  it("is whole: doctor says its version", async () => {
    expect(await setUp(CONTINUO).findings("meaning")).toEqual([
      expect.objectContaining({
        status: "ok",
        detail: expect.stringMatching(/^the package's table, version \S+/),
      }),
    ]);
  });

  it.each(BROKEN.filter(([what]) => /missing|truncated|format|rows/.test(what)))(
    "that is %s: hooks and searches use words alone, and doctor tells the reason",
    async (_, bytes, code) => {
      const { run, findings, prompt } = setUp(packageWith(bytes()));
      // Which note it adds is tested in test/sources/broken-table.test.ts: here the machine may be too slow for a hook.
      expect(await prompt("how does a lock file guard the ledger against races?")).toMatchObject({ code: 0 });
      for (let times = 0; times < 2; times++) {
        const found = await run(["search", "ledger", "--json"]);
        expect(JSON.parse(found.stdout)).toMatchObject({ ok: true });
        expect(found.stdout).toContain("memory://locks");
      }
      const [told, ...others] = await findings("meaning");
      expect(told).toMatchObject({ status: "fail", detail: expect.stringContaining("by words alone") });
      expect(others).toEqual([]);
      const failures = (await findings("failure")).filter(({ detail }) => detail.includes(code));
      expect(failures).toEqual([expect.objectContaining({ detail: expect.stringContaining("; 1 time,") })]);
    },
  );
});
