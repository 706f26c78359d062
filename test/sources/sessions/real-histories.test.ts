import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSessions } from "../../../src/sources/sessions/library.ts";
import { history } from "../../support/histories.ts";
import { temporaryWorld } from "../../support/world.ts";

const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../../shared/bench");
const FROM = join(DATA, "transcripts");

it.skipIf(!existsSync(FROM))(
  "real transcripts become sessions with records, in an index that is much smaller",
  async () => {
    const { env, home } = temporaryWorld();
    const places = { "claude-code": ".claude/projects/-real", pi: ".pi/agent/sessions/--real--" };
    let bytes = 0;
    let files = 0;
    for (const [host, folder] of Object.entries(places)) {
      const to = join(env["HOME"] ?? "", folder);
      mkdirSync(to, { recursive: true });
      for (const name of readdirSync(join(FROM, host))) {
        const path = join(to, host === "pi" ? `2026-01-01T00-00-00Z_${name}` : name);
        cpSync(join(FROM, host, name), path);
        bytes += statSync(path).size;
        files++;
      }
    }
    const sessions = openSessions({ home, history, env });
    const done = await sessions.sync();
    expect(done).toMatchObject({ sessions: files, changed: files, isComplete: true, notices: [] });
    for (const session of sessions.list()) {
      const turns = [...sessions.turns(session)];
      expect(turns).toHaveLength(session.counts.turns);
      if (session.counts.prompts === 0) continue;
      const ids = new Set(turns.map(({ id }) => id));
      const cited = [...(sessions.record(session)?.summary ?? "").matchAll(/^- .*\[([^\]]+)\]$/gm)].map(
        ([, id]) => id,
      );
      expect(cited.length).toBeGreaterThan(0);
      for (const id of cited) expect(ids).toContain(id);
    }
    expect(sessions.size().bytes).toBeLessThan(0.15 * bytes);
    sessions.close();
  },
);
