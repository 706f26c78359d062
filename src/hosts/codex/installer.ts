import { join } from "node:path";
import type { Installer } from "../port/installer.ts";
import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { codex } from "./hook.ts";
import { codexFolder, trustToDo } from "./hook-trust.ts";
import { codexMcp } from "./mcp-table.ts";

/** Codex allows SessionEnd this many seconds and complains at every start about more. */
const SESSION_END_SECONDS = 3;

/** The events whose answer reaches the model. */
const GETS_CONTEXT: ReadonlySet<string> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "SubagentStart",
]);

const fileInstaller = hookFileInstaller({
  hook: codex,
  versionCommand: ["codex", "--version"],
  settingsFile: (env) => join(codexFolder(env), "hooks.json"),
  // With any number that is not whole Codex loads no hook of the file.
  timeout(ms, event) {
    const seconds = Math.ceil(ms / 1000);
    return event === "SessionEnd" ? Math.min(seconds, SESSION_END_SECONDS) : seconds;
  },
  // Without it Codex cuts the middle out of an answer of more than 10,000 bytes; 0 lifts the limit. At any other event
  // Codex warns about it at every start.
  more: (event) => (GETS_CONTEXT.has(event) ? { additionalContextLimit: 0 } : {}),
  addedHolds: "from the next session on, once you have trusted the new hook in /hooks",
  mcp: codexMcp,
});

export const codexInstaller: Installer = { ...fileInstaller, programs: ["codex"], besides: trustToDo };
