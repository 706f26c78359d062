import { hookFileInstaller, isNeeded, type Need } from "../shared/install/hook-file.ts";
import { mcpEntry } from "../shared/install/mcp-entry.ts";
import { timeoutFor } from "../shared/time-limits.ts";
import { EVENT_WAIT_MS, EVENTS, settingsFile } from "./hook.ts";

type Event = (typeof EVENTS)[number];

const NEEDS: Readonly<Record<Event, Need>> = {
  SessionStart: "always",
  BeforeAgent: "always",
  BeforeTool: "guard",
  AfterTool: "tool",
  AfterAgent: "idle",
  SessionEnd: "always",
};

export const geminiInstaller = hookFileInstaller({
  host: "gemini",
  label: "Gemini CLI",
  versionCommand: ["gemini", "--version"],
  settingsFile,
  events: (wiring) =>
    EVENTS.filter((event) => isNeeded(NEEDS[event], wiring)).map((event) => ({
      event,
      // Milliseconds, unlike in every other host.
      timeout: timeoutFor(EVENT_WAIT_MS[event], wiring.momentLimitMs),
    })),
  opening: {
    event: "BeforeAgent",
    payload: (cwd) => ({ hook_event_name: "BeforeAgent", session_id: "doctor", cwd, prompt: "hello" }),
  },
  mcp: mcpEntry({ host: "gemini", settingsFile }),
});
