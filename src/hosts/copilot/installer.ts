import { join } from "node:path";
import { ContinuoError } from "../../moments/errors.ts";
import type { MomentName } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
import { isRecord } from "../../store/settings.ts";
import { pathsIn } from "../claude-code/command.ts";
import { parseSettings } from "../claude-code/settings.ts";
import { commandFor } from "../codex/hook-file.ts";
import type { Finding, Installer, Wiring } from "../installer.ts";
import { EVENTS } from "./hook.ts";

type Event = (typeof EVENTS)[number];

/** What each event is for. An event that nobody answers is not wired: it would cost a process each time. */
const NEEDS: Readonly<Record<Event, "always" | "guard" | MomentName>> = {
  userPromptSubmitted: "always",
  preToolUse: "guard",
  postToolUse: "tool",
  preCompact: "always",
  agentStop: "idle",
  subagentStart: "always",
};

const MEND = "run: continuo install copilot";
const EMPTY = '{\n  "version": 1,\n  "hooks": {}\n}\n';

/** Copilot reads every file in its hooks folder, so ours is a file of its own and nobody else's text is edited. */
export const copilotInstaller: Installer = {
  host: "copilot",
  label: "Copilot CLI",
  versionCommand: ["copilot", "--version"],
  settingsFile: (env) =>
    join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "hooks", "continuo.json"),
  add: (text, wiring) => {
    refuseForeign(text);
    return fileFor(wiring);
  },
  remove: (text) => {
    refuseForeign(text);
    return commandsIn(text).length === 0 ? text : EMPTY;
  },
  inspect,
};

function fileFor(wiring: Wiring, platform: NodeJS.Platform = process.platform): string {
  const hooks = EVENTS.filter((event) => isNeeded(event, wiring)).map((event) => {
    const command = commandFor("copilot", wiring, event, platform);
    // PowerShell takes a quoted path for a text unless it is told to call it.
    const shell = platform === "win32" ? { powershell: `& ${command}` } : { bash: command };
    return [event, [{ type: "command", ...shell, timeoutSec: 10 }]];
  });
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}

function isNeeded(event: Event, wiring: Wiring): boolean {
  const need = NEEDS[event];
  if (need === "always") return true;
  return need === "guard" ? wiring.guards : wiring.answered.has(need);
}

function commandsIn(text: string): string[] {
  const hooks = parseSettings(text)["hooks"];
  return Object.values(isRecord(hooks) ? hooks : {})
    .flatMap((entries): unknown[] => (Array.isArray(entries) ? entries : [entries]))
    .map((entry) => (isRecord(entry) ? (entry["bash"] ?? entry["powershell"] ?? entry["command"]) : entry))
    .map((command) => (typeof command === "string" ? command.replace(/^& /, "") : ""));
}

function refuseForeign(text: string): void {
  if (commandsIn(text).every((command) => /continuo\.cjs["']? hook copilot \w+$/.test(command))) return;
  throw new ContinuoError("settings-foreign", "hooks/continuo.json holds hooks that are not Continuo's", {
    hint: "move them to another file in that folder; nothing was touched",
  });
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const commands = commandsIn(text);
  if (commands.length === 0) return [{ status: "warn", detail: "not installed", mend: MEND }];
  const gone = [...new Set(commands.flatMap(pathsIn))].filter((path) => !exists(path));
  if (gone.length > 0)
    return [
      { status: "fail", detail: `its hooks name ${gone.join(" and ")}, which is not there`, mend: MEND },
    ];
  if (fileFor(wiring) !== text)
    return [{ status: "warn", detail: "installed, but by another version or changed by hand", mend: MEND }];
  return [{ status: "ok", detail: `installed (${commands.length} hooks)`, mend: "" }];
}
