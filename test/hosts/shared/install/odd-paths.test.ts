import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registries } from "../../../../src/entries/registries.ts";
import { type Installer, partsOf, type Wiring } from "../../../../src/hosts/port/installer.ts";
import { launchIn } from "../../../../src/hosts/shared/install/hook-command.ts";
import { temporaryFolder } from "../../../support/world.ts";

const FOLDERS = [
  "it's here",
  "two''s",
  "a  b",
  "$HOME and $(id)",
  "back`tick`s",
  "Größe 日本 🎼",
  'quote"s',
  "semi;colon & more",
  "per%cent #hash",
  "back\\slash",
];

function wiringIn(folder: string): Wiring {
  return {
    runtime: join(folder, "node"),
    script: join(folder, "continuo.cjs"),
    answered: new Set(["tool", "idle"]),
    guards: true,
    hostVersion: "2.1.325",
    mcp: { offIn: [] },
    statusLine: true,
  };
}

async function installers(): Promise<Installer[]> {
  return [...(await registries.installers()), ...(await registries.mcpClients())];
}

/** The text of each settings file of a host with all of Continuo's entries in it. */
function filesOf(installer: Installer, wiring: Wiring): Map<string, string> {
  const files = new Map<string, string>();
  for (const part of partsOf(installer)) {
    const file = part.settingsFile({ HOME: "/home/me" });
    files.set(file, part.add(files.get(file) ?? "", wiring));
  }
  return files;
}

describe.skipIf(process.platform === "win32").each(FOLDERS)("installed in a folder named %j", (name) => {
  it("every host's entries are recognised, current and removable", async () => {
    const wiring = wiringIn(`/opt/${name}`);
    for (const installer of await installers()) {
      const files = filesOf(installer, wiring);
      for (const part of partsOf(installer)) {
        const file = part.settingsFile({ HOME: "/home/me" });
        const text = files.get(file) ?? "";
        const bad = part.inspect(text, wiring, () => true).filter(({ status }) => status !== "ok");
        expect(bad, installer.host).toEqual([]);
        expect(part.add(text, wiring), installer.host).toBe(text);
        files.set(file, part.remove(text));
      }
      for (const text of files.values()) expect(text, installer.host).not.toContain(name);
    }
  });

  it("its hooks and its status line run in a shell, and hooks are silent once the runtime is gone", async () => {
    const wiring = wiringIn(join(temporaryFolder(), name));
    mkdirSync(join(wiring.runtime, ".."), { recursive: true });
    writeFileSync(wiring.runtime, `#!/bin/sh\nshift\necho "{$*}"\n`);
    chmodSync(wiring.runtime, 0o755);
    const run = (command: string) => execFileSync("/bin/sh", ["-c", command], { encoding: "utf8" });
    const hooks: string[] = [];
    for (const installer of await registries.installers()) {
      const texts = [...filesOf(installer, wiring).values()];
      for (const probe of installer.probes(texts[0] ?? "")) {
        if (probe.kind !== "hook") continue;
        expect(launchIn(installer.host as "codex", probe.command)?.script).toBe(wiring.script);
        hooks.push(probe.command);
        expect(run(probe.command)).toMatch(new RegExp(`^\\{hook ${installer.host} \\w+\\}\\s*$`));
      }
      if (installer.statusLine === undefined) continue;
      expect(run(JSON.parse(texts[0] ?? "").statusLine.command)).toBe("{statusline}\n");
    }
    rmSync(wiring.runtime);
    expect(hooks.map(run)).toEqual(hooks.map(() => ""));
  });
});
