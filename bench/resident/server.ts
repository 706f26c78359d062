import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programOf } from "../../test/support/claude-code.ts";
import { printTable } from "../measure.ts";
import { median, p95, timeProcess } from "../process-time.ts";
import { type Build, builds, rounds } from "./builds.ts";
import { hookCommand } from "./hook-cases.ts";
import { type HookServer, startHookServer } from "./hook-server.ts";
import { withClaude } from "./hosts/claude-code.ts";
import { install } from "./hosts/living-host.ts";
import { usedBy } from "./process-tree.ts";
import { copyHome, NOTES, promptAbout, type Stores } from "./stores.ts";

const SESSIONS = 20;
const CALLS = 5;
const IDLE_S = 30;
const TARGETS: Readonly<Record<string, string>> = {
  UserPromptSubmit: "10 / 25",
  PostToolUse: "5 / 15",
  Stop: "10",
};

/** The MCP server as Claude Code's hooks use it: time per call over its pipes, memory and idle processor time. */
export async function measureServer(stores: Stores): Promise<void> {
  const turns = rounds(10);
  console.log(
    `### The resident server over MCP (${NOTES.toLocaleString("en")} notes, ${SESSIONS} sessions of ${turns} turns with ${CALLS} tool calls)\n`,
  );
  for (const build of builds()) await measureBuild(stores, build, turns);
}

async function measureBuild(stores: Stores, build: Build, turns: number): Promise<void> {
  const user = join(stores.folder, `server${build.label}`);
  mkdirSync(join(user, ".claude"), { recursive: true });
  const home = copyHome(await stores.notes(), join(user, ".continuo"));
  const plain = { HOME: user, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
  const env = withClaude(plain, user, await programOf());
  install("claude-code", { name: "", script: build.script, store: home }, env, stores.root);
  const server = await startHookServer(user, { cwd: stores.root, env });
  const times = new Map<string, number[]>();
  try {
    for (let i = 0; i < SESSIONS; i++) {
      const id = `server-${i}`;
      const where = { build, root: stores.root, user };
      timeProcess("SessionStart", hookCommand(where, home, "SessionStart", id));
      for (let turn = 0; turn < turns; turn++)
        await oneTurn(server, times, id, stores.root, promptAbout(home, i * 97 + turn));
    }
    const calls = [...times.values()].reduce((sum, { length }) => sum + length, 0);
    printTable(
      [`call${build.label}`, "n", "p50 ms", "p95", "target"],
      [...times].map(([name, sample]) => [
        name,
        sample.length,
        median(sample).toFixed(2),
        p95(sample).toFixed(2),
        TARGETS[name] ?? "",
      ]),
    );
    await sleep(3_000); // what is left to do in the background
    const before = usedBy(server.pid);
    await sleep(IDLE_S * 1000);
    const after = usedBy(server.pid);
    printTable(
      [`server${build.label}`, "value", "target"],
      [
        [`resident memory (RSS) after ${calls} calls, MB`, before.rss.toFixed(0), "90"],
        ["of which its own and its share of shared pages (PSS), MB", before.pss.toFixed(0), ""],
        ["processes", before.processes, ""],
        [`CPU used in ${IDLE_S} idle seconds, ms`, (after.cpu - before.cpu).toFixed(1), "0"],
      ],
    );
  } finally {
    await server.end();
  }
}

async function oneTurn(
  server: HookServer,
  times: Map<string, number[]>,
  session: string,
  root: string,
  prompt: string,
): Promise<void> {
  const timed = async (name: string, call: () => Promise<boolean>) => {
    const begun = performance.now();
    if (!(await call())) return;
    times.set(name, [...(times.get(name) ?? []), performance.now() - begun]);
  };
  const hook = (event: string, more: object) =>
    timed(event, () => server.hook(event, { session_id: session, cwd: root, ...more }));
  await timed("ping, for comparison", () => server.ping());
  await hook("UserPromptSubmit", { prompt });
  for (let call = 0; call < CALLS; call++) {
    const tool = { tool_name: "Read", tool_input: { file_path: join(root, "src", `file-${call}.ts`) } };
    await hook("PreToolUse", tool);
    await hook("PostToolUse", tool);
  }
  await hook("Stop", {});
  await sleep(100); // as between turns: what is done in the background gets its time
}
