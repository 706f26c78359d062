import { ContinuoError } from "../../base/errors.ts";
import { readBounded } from "../../hosts/shared/hook/payload.ts";
import { runHook } from "../../hosts/shared/hook/run-hook.ts";
import type { Command } from "../command.ts";

/** Never fails and prints only what the host reads: what goes wrong is shown by `doctor`. */
export const hook: Command = {
  name: "hook",
  summary: "what a host calls: its JSON on stdin, its answer on stdout",
  usage: "hook HOST EVENT [ENTRY]",
  options: {},
  raw: true,
  async run({ positionals, env, cwd, now, stdin, history, hookHosts, sources }) {
    const [host, event, entry = "1"] = positionals;
    if (host === undefined || event === undefined) {
      throw new ContinuoError("usage", "which host, and which of its events?", {
        hint: "hosts call this; to see what a session would be given: continuo start",
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
