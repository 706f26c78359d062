import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClaudeCode, claudeCodeEnv } from "./claude-code.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Claude Code as a person sees it, past the questions of a first start. */
export async function claudeCodeScreen(host: ClaudeCode): Promise<Terminal> {
  const path = join(host.home, ".claude.json");
  const settings = JSON.parse(readFileSync(path, "utf8"));
  const answered = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const first = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["sk-ant-dummy"], rejected: [] },
    projects: { [host.project]: answered },
  };
  writeFileSync(path, JSON.stringify({ ...settings, ...first }));
  const folder = dirname(host.home);
  const env = claudeCodeEnv(host.home, join(folder, "tmp"), host.server.url);
  return openTerminal(folder, host.program, { cwd: host.project, env });
}
