import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHealth } from "../../src/store/health.ts";
import { homeAt } from "../../src/store/home.ts";
import { startCodex } from "../hosts/codex/driver.ts";
import { startCopilot } from "../hosts/copilot/driver.ts";
import { startGemini } from "../hosts/gemini/driver.ts";
import { ROOT } from "../support/child.ts";
import { codexProgram } from "../support/codex-program.ts";
import { copilotProgram } from "../support/copilot.ts";
import { geminiProgram } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { installGlobally } from "../support/two-builds.ts";
import { write } from "../support/world.ts";

const HOSTS = [
  ["Codex", startCodex, await orSkipReason(codexProgram())],
  ["Copilot CLI", startCopilot, await orSkipReason(copilotProgram())],
  ["Gemini CLI", startGemini, await orSkipReason(geminiProgram())],
] as const;

const WIRED = [
  ".codex/hooks.json",
  ".codex/config.toml",
  ".copilot/hooks/continuo.json",
  ".copilot/mcp-config.json",
  ".gemini/settings.json",
];

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
  ".continuo/rules/files.md": "---\nglobs: 'src/*.ts'\n---\nMARK-FILES: imports end in ts.",
  ".continuo/rules/docs.md": "---\nglobs: 'docs/*.md'\n---\nMARK-DOCS: one sentence, one line.",
  "src/a.ts": "export const a = 1;\n",
  "docs/b.md": "# B\n",
};

/** Hooks ask the server, which is the old build's; after the update the processes of the new one answer. */
describe.skipIf(process.platform !== "linux")("an update with npm install --global within a turn of", () => {
  it.each(HOSTS)("%s loses no rule and fails nowhere", async (_name, start, found) => {
    if (typeof found === "object") return;
    const { script, update } = installGlobally();
    const host = await start();
    onTestFinished(() => host.dispose());
    const home = String(host.env["HOME"]);
    for (const file of WIRED.map((name) => join(home, name)).filter((path) => existsSync(path)))
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(join(ROOT, "dist"), dirname(script)));
    // Some hosts run no substitution of commands, and none that names a path outside of the project.
    const scripts = { "look.sh": `ls ${home}/.continuo/sockets > $1\n`, "update.sh": `${update}\n` };
    write(host.project, { ...RULES, ...scripts });
    const seen = (file: string) => readFileSync(join(host.project, file), "utf8").trim().split("\n");
    const { requests } = await host.turn("go on", {
      replies: [
        { read: "src/a.ts" },
        { shell: "sh look.sh before" },
        { shell: "sh update.sh" },
        { read: "docs/b.md" },
        { shell: "sh look.sh after" },
        { text: "done" },
      ],
    });
    const last = requests.at(-1)?.text ?? "";
    for (const mark of ["MARK-ALWAYS", "MARK-FILES", "MARK-DOCS"]) expect(last.split(mark)).toHaveLength(2);
    expect([seen("before"), seen("after")]).toEqual([[expect.stringMatching(/^\d+$/)], [""]]);
    expect(readHealth(homeAt(join(home, ".continuo")).logs).records).toEqual([]);
  });
});
