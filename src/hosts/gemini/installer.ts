import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import { hookFileInstaller, isNeeded, type Need } from "../hook-file.ts";
import { mcpEntry } from "../mcp-entry.ts";
import { EVENTS } from "./hook.ts";

type Event = (typeof EVENTS)[number];

const NEEDS: Readonly<Record<Event, Need>> = {
  SessionStart: "always",
  BeforeAgent: "always",
  BeforeTool: "guard",
  AfterTool: "tool",
  AfterAgent: "idle",
  SessionEnd: "always",
};

/** Milliseconds, unlike in every other host. */
const TIMEOUT_MS: Partial<Record<Event, number>> = { BeforeTool: 5_000, AfterTool: 5_000, SessionEnd: 5_000 };

function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(env["GEMINI_CLI_HOME"] || userHome(env), ".gemini", "settings.json");
}

export const geminiInstaller = hookFileInstaller({
  host: "gemini",
  label: "Gemini CLI",
  versionCommand: ["gemini", "--version"],
  settingsFile,
  events: (wiring) =>
    EVENTS.filter((event) => isNeeded(NEEDS[event], wiring)).map((event) => ({
      event,
      timeout: TIMEOUT_MS[event] ?? 10_000,
    })),
  opening: {
    event: "BeforeAgent",
    payload: (cwd) => ({ hook_event_name: "BeforeAgent", session_id: "doctor", cwd, prompt: "hello" }),
  },
  mcp: mcpEntry({ host: "gemini", settingsFile }),
});
