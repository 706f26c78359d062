import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import { countOccurrences } from "../fakes/anthropic-requests.ts";
import { COPILOT, copilotEnv, copilotProgram } from "../support/copilot.ts";
import { orSkipReason } from "../support/packages.ts";
import { makePlace } from "../support/place.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";

const found = await orSkipReason(copilotProgram());
const skip = typeof found === "object" ? found.skip : false;

/** Copilot CLI in a project whose `.claude` folder has the hooks that Continuo installs for Claude Code. */
async function world({ own }: { own: boolean }) {
  const place = await makePlace("copilot");
  onTestFinished(() => place.dispose());
  const { home, project, run } = place;
  const server = await startFakeAnthropic({
    respond: ({ raw }) =>
      raw.includes("tool_result")
        ? { text: "done" }
        : { toolUses: [{ name: "view", input: { path: join(project, "a.txt") } }] },
  });
  onTestFinished(() => server.close());
  write(project, {
    ".continuo/rules/always.md": "MARK-ALWAYS.",
    ".continuo/rules/text.md": "---\nglobs: '*.txt'\n---\nMARK-TXT.",
    "a.txt": "x",
  });
  if (own) await continuo(place, "install", "copilot", "--yes");
  await continuo(place, "install", "claude-code", "--yes");
  mkdirSync(join(project, ".claude"));
  copyFileSync(join(home, ".claude", "settings.json"), join(project, ".claude", "settings.json"));
  rmSync(join(home, ".claude"), { recursive: true });
  const program = await copilotProgram();
  const args = ["--allow-all-tools", "--trust-folder", "-s"];
  await run([program, "-p", "read a.txt", ...args], copilotEnv(server.url));
  return { ...place, requests: server.requests.filter(({ raw }) => raw.includes("read a.txt")) };
}

describe.skipIf(skip)(`Copilot CLI ${COPILOT} with hooks of Claude Code in the project`, () => {
  it.each([true, false])(
    "gets each rule once (its own hooks installed: %s), as Copilot's session",
    async (own) => {
      const { requests, home, ...place } = await world({ own });
      const last = requests.at(-1);
      expect(requests.length).toBeGreaterThan(1);
      expect(last && countOccurrences(last, "MARK-ALWAYS")).toBe(1);
      expect(last && countOccurrences(last, "MARK-TXT")).toBe(1);
      const state = join(home, ".continuo", "state");
      expect(readdirSync(state)).toEqual(["copilot"]);
      const findings: { what: string }[] = JSON.parse(await continuo(place, "doctor", "--json")).data
        .findings;
      expect(findings.filter(({ what }) => what === "failure")).toEqual([]);
    },
  );
});
