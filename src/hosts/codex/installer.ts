import { join } from "node:path";
import type { MomentName } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
import type { Wiring } from "../installer.ts";
import { EVENTS } from "./hook.ts";
import { hookFileInstaller } from "./hook-file.ts";

type Event = (typeof EVENTS)[number];

/** What each event is for. An event that nobody answers is not wired: it would cost a process each time. */
const NEEDS: Readonly<Record<Event, "always" | "guard" | MomentName>> = {
  SessionStart: "always",
  UserPromptSubmit: "always",
  PreToolUse: "guard",
  PostToolUse: "tool",
  PreCompact: "always",
  Stop: "idle",
  SessionEnd: "always",
  SubagentStart: "always",
};

/** Seconds. Codex allows SessionEnd 3 and complains at every start about more. */
const TIMEOUT: Partial<Record<Event, number>> = { PreToolUse: 5, PostToolUse: 5, SessionEnd: 3 };

export const codexInstaller = hookFileInstaller({
  host: "codex",
  label: "Codex",
  versionCommand: ["codex", "--version"],
  settingsFile: (env) => join(env["CODEX_HOME"] || join(userHome(env), ".codex"), "hooks.json"),
  events: (wiring) =>
    EVENTS.filter((event) => isNeeded(event, wiring)).map((event) => ({
      event,
      timeout: TIMEOUT[event] ?? 10,
    })),
  // Codex says nothing when it leaves out hooks that nobody trusted.
  remark: "Codex runs them once you have trusted them in its /hooks",
});

function isNeeded(event: Event, wiring: Wiring): boolean {
  const need = NEEDS[event];
  if (need === "always") return true;
  return need === "guard" ? wiring.guards : wiring.answered.has(need);
}
