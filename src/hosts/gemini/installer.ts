import { join } from "node:path";
import type { MomentName } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
import { hookFileInstaller } from "../codex/hook-file.ts";
import type { Wiring } from "../installer.ts";
import { EVENTS } from "./hook.ts";

type Event = (typeof EVENTS)[number];

/** What each event is for. An event that nobody answers is not wired: it would cost a process each time. */
const NEEDS: Readonly<Record<Event, "always" | "guard" | MomentName>> = {
  SessionStart: "always",
  BeforeAgent: "always",
  BeforeTool: "guard",
  AfterTool: "tool",
  AfterAgent: "idle",
  SessionEnd: "always",
};

/** Milliseconds, unlike in every other host. */
const TIMEOUT_MS: Partial<Record<Event, number>> = { BeforeTool: 5_000, AfterTool: 5_000, SessionEnd: 5_000 };

export const geminiInstaller = hookFileInstaller({
  host: "gemini",
  label: "Gemini CLI",
  versionCommand: ["gemini", "--version"],
  settingsFile: (env) => join(env["GEMINI_CLI_HOME"] || userHome(env), ".gemini", "settings.json"),
  events: (wiring) =>
    EVENTS.filter((event) => isNeeded(event, wiring)).map((event) => ({
      event,
      timeout: TIMEOUT_MS[event] ?? 10_000,
    })),
});

function isNeeded(event: Event, wiring: Wiring): boolean {
  const need = NEEDS[event];
  if (need === "always") return true;
  return need === "guard" ? wiring.guards : wiring.answered.has(need);
}
