import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startFakeAnthropic } from "../../../test/fakes/anthropic.ts";
import { cliOf, models, PI } from "../../../test/support/pi.ts";
import { type Lines, startLines } from "./lines.ts";
import { type Form, furnish, install, type LivingHost, readingModel } from "./living-host.ts";

/** pi in its RPC mode, one process for many turns. */
export async function livingPi(form: Form): Promise<LivingHost> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-")));
  const [home, project, agent] = [
    join(root, "home"),
    join(root, "project"),
    join(root, "home", ".pi", "agent"),
  ];
  for (const folder of [agent, project, join(root, "tmp"), join(root, "sessions")])
    mkdirSync(folder, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", project]);
  const server = await startFakeAnthropic();
  const model = readingModel(furnish(home, project, form.store));
  server.respondWith(() => {
    const path = model.next();
    const usage = { input_tokens: 1_000 }; // never enough for a compaction
    return path === undefined
      ? { text: "done", usage }
      : { toolUses: [{ name: "read", input: { path } }], usage };
  });
  writeFileSync(join(agent, "models.json"), JSON.stringify(models(server.url)));
  writeFileSync(
    join(agent, "settings.json"),
    JSON.stringify({ defaultProvider: "fake", defaultModel: "fake-1" }),
  );
  const env = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    TMPDIR: join(root, "tmp"),
    TERM: "dumb",
    PI_OFFLINE: "1",
    PI_TELEMETRY: "0",
  };
  install("pi", form, env, project);
  const command = [
    process.execPath,
    await cliOf(PI),
    "--session-dir",
    join(root, "sessions"),
    "--mode",
    "rpc",
  ];
  let running: Lines | undefined;
  return {
    turn: (prompt, calls) =>
      model.run(calls, async () => {
        running ??= startLines(command, { cwd: project, env });
        running.send({ id: "turn", type: "prompt", message: prompt });
        await running.until((line) => line["type"] === PI.rested);
      }),
    async stop() {
      await running?.end();
      running = undefined;
    },
    async dispose() {
      await running?.end();
      await server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
