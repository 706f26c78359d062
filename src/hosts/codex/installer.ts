import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { Wiring } from "../port/installer.ts";
import { hookFileInstaller, isNeeded, type Need } from "../shared/install/hook-file.ts";
import { timeoutFor } from "../shared/time-limits.ts";
import { EVENT_WAIT_MS, EVENTS } from "./hook.ts";
import { codexMcp } from "./mcp-table.ts";

type Event = (typeof EVENTS)[number];

const NEEDS: Readonly<Record<Event, Need>> = {
  SessionStart: "always",
  UserPromptSubmit: "always",
  PreToolUse: "guard",
  PostToolUse: "tool",
  PreCompact: "always",
  Stop: "idle",
  SessionEnd: "always",
  SubagentStart: "always",
};

/** Codex allows SessionEnd this many seconds and complains at every start about more. */
const SESSION_END_SECONDS = 3;

export const codexInstaller = hookFileInstaller({
  host: "codex",
  label: "Codex",
  versionCommand: ["codex", "--version"],
  settingsFile: (env) => join(env["CODEX_HOME"] || join(userHome(env), ".codex"), "hooks.json"),
  events: (wiring) =>
    EVENTS.filter((event) => isNeeded(NEEDS[event], wiring)).map((event) => ({
      event,
      timeout: secondsFor(event, wiring),
    })),
  // Without it Codex cuts the middle out of an answer of more than 10,000 bytes; 0 lifts the limit.
  more: { additionalContextLimit: 0 },
  opening: {
    event: "SessionStart",
    payload: (cwd) => ({ hook_event_name: "SessionStart", session_id: "doctor", cwd, source: "startup" }),
  },
  mcp: codexMcp,
  // Codex says nothing when it leaves out hooks that nobody trusted.
  remark: () => "Codex runs them once you have trusted them in its /hooks",
});

function secondsFor(event: Event, wiring: Wiring): number {
  const seconds = Math.ceil(timeoutFor(EVENT_WAIT_MS[event], wiring.momentLimitMs) / 1000);
  return event === "SessionEnd" ? Math.min(seconds, SESSION_END_SECONDS) : seconds;
}
