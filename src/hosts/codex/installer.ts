import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { codex } from "./hook.ts";
import { codexMcp } from "./mcp-table.ts";

/** Codex allows SessionEnd this many seconds and complains at every start about more. */
const SESSION_END_SECONDS = 3;

export const codexInstaller = hookFileInstaller({
  hook: codex,
  versionCommand: ["codex", "--version"],
  settingsFile: (env) => join(env["CODEX_HOME"] || join(userHome(env), ".codex"), "hooks.json"),
  timeout(ms, event) {
    const seconds = Math.ceil(ms / 1000);
    return event === "SessionEnd" ? Math.min(seconds, SESSION_END_SECONDS) : seconds;
  },
  // Without it Codex cuts the middle out of an answer of more than 10,000 bytes; 0 lifts the limit.
  more: { additionalContextLimit: 0 },
  addedHolds: "from the next session on, once you have trusted the new hook in /hooks",
  mcp: codexMcp,
  // Codex says nothing when it leaves out hooks that nobody trusted.
  remark: () => "Codex runs them once you have trusted them in its /hooks",
});
