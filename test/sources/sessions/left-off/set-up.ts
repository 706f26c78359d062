import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProject } from "../../../../src/moments/project/project.ts";
import { openSessions } from "../../../../src/sources/sessions/library.ts";
import { sessions } from "../../../../src/sources/sessions/ports/source.ts";
import { history } from "../../../support/histories.ts";
import { configFor, temporaryWorld } from "../../../support/world.ts";
import { answer, ask, CLAUDE, lineOf, type TurnText } from "../place.ts";
import { sessionsEngine } from "../sessions-engine.ts";

export const NOW = Date.parse("2026-11-16T12:00:00Z");
export const HOUR = 3_600_000;

/** A project, and sessions of Claude Code in it that ended some hours ago. */
export function setUp(more: { readonly lastSessions?: number } = {}) {
  const world = temporaryWorld();
  const notices: string[] = [];
  const failures: string[] = [];
  const folderOf = (cwd: string) =>
    join(world.env["HOME"] ?? "", ".claude/projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"));
  const pathOf = (id: string, cwd = world.root) => join(folderOf(cwd), `${id}.jsonl`);
  const session = (
    id: string,
    hoursAgo: number,
    turns: readonly TurnText[],
    cwd = world.root,
    more: object = {},
  ): void => {
    const at = NOW - hoursAgo * HOUR;
    const lines = turns.map((turn, i) =>
      lineOf(id, turn, {
        cwd,
        timestamp: new Date(at - (turns.length - 1 - i) * 1000).toISOString(),
        ...more,
      }),
    );
    mkdirSync(folderOf(cwd), { recursive: true });
    writeFileSync(pathOf(id, cwd), lines.join(""));
    utimesSync(pathOf(id, cwd), at / 1000, at / 1000);
  };
  // No test may depend on how fast the machine is.
  const config = configFor([sessions], { sourceDeadlineMs: 60_000, momentDeadlineMs: 60_000 });
  const engine = sessionsEngine(
    world,
    {
      config: { ...config, sources: { sessions: { enabled: true, ...config.sources["sessions"], ...more } } },
      onFailure: (where, error) => void failures.push(`${where}: ${String(error)}`),
    },
    (lines) => void notices.push(...lines),
  );
  const moment = (id = "new", cwd = world.root) => ({
    session: { host: CLAUDE, id },
    project: findProject(cwd),
    cwd,
    at: NOW,
  });
  const start = (id?: string, cwd?: string) => engine.at({ name: "start", ...moment(id, cwd) });
  const index = async () => {
    const library = openSessions({ home: world.home, env: world.env, history });
    await library.sync();
    return library;
  };
  /** As a living process prepares the next start after a session has ended. */
  const prepare = (cwd?: string) =>
    engine.prepare({ name: "end", why: "other", ...moment("ended", cwd) }, 60_000);
  return { ...world, config, prepare, session, start, engine, moment, notices, failures, pathOf, index };
}

export const WORK = [
  ask("Round the prices in the cart half to even"),
  answer("The cart rounds half to even now. 214 tests pass."),
];
