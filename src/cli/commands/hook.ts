import { ContinuoError } from "../../base/errors.ts";
import { HOST_NAMES } from "../../base/host-names.ts";
import { readPayload } from "../../hosts/shared/hook/payload.ts";
import { runHook } from "../../hosts/shared/hook/run-hook.ts";
import type { Command } from "../command.ts";
import { canAsk } from "../terminal/input.ts";

const TYPED = [
  "continuo hook is for agents: they send an event as JSON and read the answer.",
  "To see what a session would get: continuo start",
  "To connect an agent: continuo install AGENT",
];

/** Never fails, and prints only what the host reads. `doctor` shows what went wrong. */
export const hook: Command = {
  name: "hook",
  summary: "answer an event of an agent; agents call it",
  usage: "hook AGENT EVENT [ENTRY]",
  section: "agents",
  isMinor: true,
  guide:
    "An agent calls it at the start of a session, at every prompt and so on: it writes JSON to standard input and reads the answer. `continuo install AGENT` sets it up. To see what a session would get, use `continuo start`.",
  options: {},
  arguments: {
    AGENT: { help: "the agent that calls", choices: HOST_NAMES },
    EVENT: { help: "the event, in the agent's own words, such as SessionStart" },
    ENTRY: { help: "which entry of several for the same event (default: 1)" },
  },
  examples: [["continuo hook claude-code SessionStart < event.json", "answer a recorded event"]],
  raw: true,
  async run(input) {
    const { positionals, env, cwd, now, stdin, history, hookHosts, sources } = input;
    const [host, event, entry = "1"] = positionals;
    if (canAsk(input)) {
      // On standard error and without failing, in case an agent runs its hooks in a terminal after all.
      for (const line of TYPED) input.tell?.(line);
      return { data: undefined, text: "" };
    }
    if (host === undefined || event === undefined) {
      throw new ContinuoError("usage", "AGENT and EVENT are missing", {
        hint: "agents call this command; what a session would get: continuo start",
      });
    }
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
      readPayload: (deadlineMs) => readPayload(stdin, deadlineMs),
    });
    return { data: text, text };
  },
};
