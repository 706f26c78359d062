import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadInstallers } from "../../../../src/hosts/index.ts";
import { mcpClients } from "../../../../src/hosts/mcp/clients.ts";
import { type Installer, partsOf, type Wiring } from "../../../../src/hosts/port/installer.ts";
import { edit } from "../../../../src/hosts/shared/install/json-text.ts";
import {
  applyInstall,
  applyUninstall,
  planInstall,
  planUninstall,
} from "../../../../src/hosts/shared/install/wire.ts";
import { WIRING } from "../../../support/wiring.ts";
import { temporaryWorld } from "../../../support/world.ts";

const MOMENTS = ["start", "resume", "prompt", "tool", "compacting", "compacted", "idle", "end"] as const;
const wiring: Wiring = { ...WIRING, answered: new Set(MOMENTS), mcp: { offIn: [] } };

/** What the user has before: nothing, or settings in several layouts. */
const ORIGINALS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  plain: '{\n  "theme": "dark"\n}\n',
  "one line": '{"theme": "dark"}',
  "empty containers": '{\n\t"hooks": {},\n\t"mcpServers": {}\n}\n',
  "CRLF, no end of line": '{\r\n    "theme": "dark"\r\n}',
};

type Step = "install" | "update" | "edit" | "remove a hook";
const steps = fc.array(fc.constantFrom<Step>("install", "update", "edit", "remove a hook"), { maxLength: 6 });

const installers: readonly Installer[] = [...(await loadInstallers()), ...mcpClients("linux")];

describe("after any sequence of installations, updates and hand edits, a removal leaves the user's own bytes", () => {
  it.each(installers.map((one) => [one.host, one] as const))("%s", (_, installer) => {
    const property = fc.property(fc.constantFrom(...Object.keys(ORIGINALS)), steps, (kind, sequence) => {
      const { env, home } = temporaryWorld();
      const files = [...new Set(partsOf(installer).map((part) => part.settingsFile(env)))];
      const original = ORIGINALS[kind];
      const own = new Map(files.map((file) => [file, file.endsWith(".toml") ? tomlOf(original) : original]));
      for (const [file, text] of own) put(file, text);
      let now = 0;
      let edits = 0;
      let isEdited = false;
      const install = (version: number) => {
        const wired = { ...wiring, script: `/opt/${version}/dist/continuo.cjs` };
        applyInstall(planInstall(installer, env, wired), installer, home, wired, ++now * 1000);
      };
      install(0);
      for (const step of sequence) {
        if (step === "install") install(edits);
        if (step === "update") install(++edits);
        for (const file of files.filter((one) => existsSync(one) && !one.endsWith(".toml"))) {
          // A file of Continuo's own has nothing of the user's.
          if (step === "edit" && !file.endsWith("continuo.json")) {
            const key = `mine${++edits}`;
            isEdited = true;
            put(file, edit(readFileSync(file, "utf8"), [key], edits));
            own.set(file, edit(own.get(file) ?? "{}\n", [key], edits));
          }
          if (step === "remove a hook") put(file, withoutOneHook(readFileSync(file, "utf8")));
        }
      }
      applyUninstall(planUninstall(installer, env, home), installer, home);
      for (const [file, text] of own) {
        const left = existsSync(file) ? readFileSync(file, "utf8") : undefined;
        expect(left ?? "").not.toContain("continuo");
        // An edit takes its layout from what is around it, which may be Continuo's.
        if (isEdited && !/\.toml$|continuo\.json$/.test(file))
          expect(JSON.parse(left ?? "")).toMatchObject(JSON.parse(text ?? ""));
        else expect(left).toBe(text);
      }
    });
    fc.assert(property, {
      numRuns: 25,
      // Every hook is taken out by hand: what held them was made by the installation.
      examples: [["none", Array.from({ length: 6 }, () => "remove a hook" as const)]],
    });
  });
});

function tomlOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : 'model = "gpt"\n';
}

function put(file: string, text: string | undefined): void {
  if (text === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** As a person does who takes one event out: the key and its list. */
function withoutOneHook(text: string): string {
  const hooks = (JSON.parse(text) as { hooks?: Readonly<Record<string, unknown>> }).hooks ?? {};
  const [event] = Object.keys(hooks);
  return event === undefined ? text : edit(text, ["hooks", event], undefined);
}
