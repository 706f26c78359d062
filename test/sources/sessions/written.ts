import { utimesSync } from "node:fs";
import { join } from "node:path";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { OfferContext } from "../../../src/moments/ports/offer.ts";
import type { ToolContext } from "../../../src/moments/ports/tool.ts";
import { temporaryWorld, write } from "../../support/world.ts";

export interface Written {
  readonly id: string;
  readonly name?: string;
  /** Prompts and answers alternately, a minute apart. */
  readonly said: readonly string[];
  readonly day?: string;
  readonly cwd?: string;
  /** The session that this one is a fork of. */
  readonly forkedFrom?: string;
}

let worlds = 0;

/** A world with these sessions of Claude Code. `call` and `offer` are contexts of another session, which asks. */
export function worldWith(sessions: readonly Written[]) {
  const world = temporaryWorld();
  for (const one of sessions) writeSession(String(world.env["HOME"]), world.root, one);
  const call: ToolContext = {
    session: { host: "pi", id: `self-${++worlds}` },
    cwd: world.root,
    home: world.home,
    history: loadHistory,
    env: world.env,
    now: Date.parse("2026-03-01T00:00:00Z"),
  };
  const offer: OfferContext = { ...call, project: world.project, settings: {} };
  return { ...world, call, offer };
}

export function writeSession(user: string, root: string, written: Written): void {
  const { id, name, said, day, cwd = root, forkedFrom } = written;
  const began = Date.parse(`${day ?? "2026-02-01"}T10:00:00Z`);
  const lines = said.map((text, i) => {
    const role = i % 2 === 0 ? "user" : "assistant";
    const where = {
      uuid: `${id}-t${i}`,
      sessionId: id,
      cwd,
      gitBranch: "main",
      isSidechain: false,
      ...(forkedFrom !== undefined && { forkedFrom: { sessionId: forkedFrom } }),
    };
    const timestamp = new Date(began + i * 60_000).toISOString();
    const content = role === "user" ? text : [{ type: "text", text }];
    return { ...where, type: role, timestamp, message: { id: `m${i}`, role, content } };
  });
  const title = name === undefined ? [] : [{ type: "custom-title", customTitle: name, sessionId: id }];
  const folder = join(user, ".claude/projects/-project");
  write(folder, {
    [`${id}.jsonl`]: [...lines, ...title].map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const ended = (began + said.length * 60_000) / 1000;
  utimesSync(join(folder, `${id}.jsonl`), ended, ended);
}
