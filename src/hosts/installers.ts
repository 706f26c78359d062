import { claudeCodeInstaller } from "./claude-code/installer.ts";
import { codexInstaller } from "./codex/installer.ts";
import { copilotInstaller } from "./copilot/installer.ts";
import { geminiInstaller } from "./gemini/installer.ts";
import type { HostName } from "./names.ts";
import { opencodeInstaller } from "./opencode/installer.ts";
import { piInstaller } from "./pi/installer.ts";
import type { Installer } from "./port/installer.ts";

/** Every host that `continuo install` sets up, in the order in which commands list them. */
export const INSTALLERS: readonly Installer[] = Object.values({
  "claude-code": claudeCodeInstaller,
  opencode: opencodeInstaller,
  pi: piInstaller,
  codex: codexInstaller,
  copilot: copilotInstaller,
  gemini: geminiInstaller,
} satisfies Record<HostName, Installer>);
