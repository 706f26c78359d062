import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../../src/moments/project/project.ts";
import { sessions } from "../../../../src/sources/sessions/ports/source.ts";
import { HISTORIES } from "../../../hosts/shared/history/histories/all.ts";
import { CWD } from "../../../hosts/shared/history/histories/history.ts";
import { configFor, temporaryWorld } from "../../../support/world.ts";
import { sessionsEngine } from "../sessions-engine.ts";

describe.each(HISTORIES.map((history) => [history.reader.host, history] as const))(
  "after a session of %s",
  (host, history) => {
    it("the next session in any host is told of it, though nothing is indexed", async () => {
      const { env, home } = temporaryWorld();
      mkdirSync(env["HOME"] ?? "", { recursive: true });
      history.write(env["HOME"] ?? "");
      const config = configFor([sessions], { sourceDeadlineMs: 60_000, momentDeadlineMs: 60_000 });
      const start = (cwd: string, id: string) =>
        sessionsEngine({ home, env }, { config }).at({
          name: "start",
          session: { host: "claude-code", id },
          project: findProject(cwd),
          cwd,
          at: Date.parse("2026-11-16T12:00:00Z"),
        });
      const name = ["codex", "gemini"].includes(host) ? "Where are prices rounded" : "Rounding";
      const text = await start(CWD, "new");
      const head = `- 2026-11-15 ${host} "${name}". asked last: Round half to even.`;
      expect(text).toContain(`${head}\n- said: In round.ts — naïvely.\n`);
      expect(text).not.toMatch(/MARK-OURS|Open when/);
      expect(await start("/work/other", "elsewhere")).toBe("");
    });
  },
);
