import { join } from "node:path";
import { ContinuoError } from "../../moments/errors.ts";
import type { MomentName } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
import type { Finding, Installer, Wiring } from "../installer.ts";
import { hookCommand, pathsIn } from "./command.ts";
import { EVENTS } from "./hook.ts";
import { addEntries, type Entry, findOurs, parseSettings, removeOurs } from "./settings.ts";

type Event = (typeof EVENTS)[number];

/** What each event is for. An event that nobody answers is not wired: it would cost a process each time. */
const NEEDS: Readonly<Record<Event, "always" | "guard" | "summary" | MomentName>> = {
  SessionStart: "always",
  UserPromptSubmit: "always",
  PreToolUse: "guard",
  PostToolUse: "tool",
  PreCompact: "always",
  PostCompact: "summary",
  Stop: "idle",
  SessionEnd: "always",
  SubagentStart: "always",
};

/** Seconds until Claude Code stops waiting. Ours are far shorter; these catch a process that hangs. */
const TIMEOUT: Partial<Record<Event, number>> = { PreToolUse: 5, PostToolUse: 5, SessionEnd: 5 };
const DEFAULT_TIMEOUT = 10;

export const claudeCodeInstaller: Installer = {
  host: "claude-code",
  label: "Claude Code",
  versionCommand: ["claude", "--version"],
  settingsFile: (env) => join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "settings.json"),
  add(text, wiring) {
    refuseComments(text);
    return addEntries(text, entries(wiring));
  },
  remove: removeOurs,
  inspect,
};

/** Claude Code loads no hook at all from a file that is not strict JSON: wiring it would only look like success. */
function refuseComments(text: string): void {
  parseSettings(text);
  if (text.trim() === "" || isStrictJson(text)) return;
  throw new ContinuoError(
    "settings-not-strict",
    "Claude Code does not load settings with comments or trailing commas",
    {
      hint: "take them out of the file first; it was not touched",
    },
  );
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // the caller says what that means
  }
}

function entries(wiring: Wiring): Entry[] {
  return EVENTS.filter((event) => isNeeded(event, wiring)).map((event) => ({
    event,
    command: hookCommand(wiring, event),
    timeout: TIMEOUT[event] ?? DEFAULT_TIMEOUT,
  }));
}

function isNeeded(event: Event, wiring: Wiring): boolean {
  const need = NEEDS[event];
  if (need === "always") return true;
  if (need === "guard") return wiring.guards;
  if (need === "summary")
    return wiring.hostVersion !== undefined && isAtLeast(wiring.hostVersion, POST_COMPACT_SINCE);
  return wiring.answered.has(need);
}

/** Before this version, an event name that Claude Code does not know disables every hook in the file. */
const POST_COMPACT_SINCE = [2, 1, 76];

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, part] of wanted.entries()) {
    const difference = (parts[i] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const ours = findOurs(text);
  const reinstall = "run: continuo install claude-code";
  if (text.trim() !== "" && !isStrictJson(text)) {
    const mend = "take comments and trailing commas out of it, then install again";
    return [
      { status: "fail", detail: "its settings file is not strict JSON, so no hook in it is loaded", mend },
    ];
  }
  if (parseSettings(text)["disableAllHooks"] === true) {
    return [
      {
        status: "fail",
        detail: "disableAllHooks is set, so no hook runs",
        mend: "remove it from the settings",
      },
    ];
  }
  if (ours.length === 0) return [{ status: "warn", detail: "not installed", mend: reinstall }];
  const gone = [...new Set(ours.flatMap((place) => pathsIn(place.command)))].filter((path) => !exists(path));
  if (gone.length > 0)
    return [
      { status: "fail", detail: `its hooks name ${gone.join(" and ")}, which is not there`, mend: reinstall },
    ];
  const wanted = entries(wiring);
  const missing = wanted.filter((entry) => !ours.some((place) => place.event === entry.event));
  if (missing.length > 0) {
    return [
      {
        status: "fail",
        detail: `no hook for ${missing.map((entry) => entry.event).join(", ")}`,
        mend: reinstall,
      },
    ];
  }
  if (ours.length > wanted.length) {
    return [{ status: "warn", detail: "it has more hooks of ours than are needed", mend: reinstall }];
  }
  if (addEntries(text, wanted) !== text) {
    return [
      { status: "warn", detail: "installed, but by another version or from another place", mend: reinstall },
    ];
  }
  const without =
    wiring.hostVersion === undefined ? "; without PostCompact, since `claude` was not on the PATH" : "";
  return [{ status: "ok", detail: `installed (${ours.length} hooks${without})`, mend: "" }];
}
