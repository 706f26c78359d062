import { join } from "node:path";
import type { MomentName } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
import type { Finding, Installer, Wiring } from "../installer.ts";
import { hookCommand, pathsIn } from "./command.ts";
import { EVENTS } from "./hook.ts";
import { addEntries, type Entry, findOurs, removeOurs } from "./settings.ts";

type Event = (typeof EVENTS)[number];

/** Tools that touch one named file; for all others a process per call would be paid for nothing. */
const FILE_TOOLS = "Read|Edit|MultiEdit|Write|NotebookEdit";

/** Events that the engine itself lives on. The others cost a process each time and need a source that answers. */
const ALWAYS: readonly Event[] = [
  "SessionStart",
  "UserPromptSubmit",
  "PreCompact",
  "SessionEnd",
  "SubagentStart",
];
const ANSWERED: Partial<Record<Event, MomentName>> = { PostToolUse: "tool", Stop: "idle" };

/** Seconds until Claude Code stops waiting. Ours are far shorter; these catch a process that hangs. */
const TIMEOUT: Partial<Record<Event, number>> = { PostToolUse: 5, SessionEnd: 5 };
const DEFAULT_TIMEOUT = 10;

export const claudeCodeInstaller: Installer = {
  host: "claude-code",
  label: "Claude Code",
  settingsFile: (env) => join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "settings.json"),
  add: (text, wiring) => addEntries(text, entries(wiring)),
  remove: removeOurs,
  inspect,
};

function entries(wiring: Wiring): Entry[] {
  return EVENTS.filter((event) => isNeeded(event, wiring)).map((event) => ({
    event,
    ...(event === "PostToolUse" ? { matcher: FILE_TOOLS } : {}),
    command: hookCommand(wiring, event),
    timeout: TIMEOUT[event] ?? DEFAULT_TIMEOUT,
  }));
}

function isNeeded(event: Event, wiring: Wiring): boolean {
  const moment = ANSWERED[event];
  return ALWAYS.includes(event) || (moment !== undefined && wiring.answered.has(moment));
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const ours = findOurs(text);
  const reinstall = "run: continuo install claude-code";
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
  if (new Set(ours.map((place) => place.event)).size < ours.length) {
    return [{ status: "fail", detail: "some events call Continuo twice", mend: reinstall }];
  }
  if (addEntries(text, wanted) !== text) {
    return [
      { status: "warn", detail: "installed, but by another version or from another place", mend: reinstall },
    ];
  }
  return [{ status: "ok", detail: `installed (${ours.length} hooks)`, mend: "" }];
}
