import { ContinuoError } from "../../base/errors.ts";
import { readBounded } from "../../hosts/shared/hook/payload.ts";
import { runHook } from "../../hosts/shared/hook/run-hook.ts";
import type { Command } from "../command.ts";

/** Never fails, and prints only what the host reads. `doctor` shows what went wrong. */
export const hook: Command = {
  name: "hook",
  summary: "run a hook (hosts call it): JSON on stdin, the answer on stdout",
  usage: "hook HOST EVENT [ENTRY]",
  group: "hosts",
  options: {},
  raw: true,
  async run({ positionals, env, cwd, now, stdin, history, hookHosts, sources }) {
    const [host, event, entry = "1"] = positionals;
    if (host === undefined || event === undefined) {
      throw new ContinuoError("usage", "HOST and EVENT are missing", {
        hint: "hosts call this command; continuo start shows what a session would get",
      });
    }
    const readPayload = (deadlineMs: number) => readBounded(stdin, deadlineMs);
    const text = await runHook({
      host,
      event,
      entry: Number(entry) || 1,
      env,
      cwd,
      now,
      hosts: await hookHosts(),
      sources: await sources(),
      history,
      readPayload,
    });
    return { data: text, text };
  },
};
