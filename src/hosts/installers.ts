import { claudeCodeInstaller } from "./claude-code/installer.ts";
import { codexInstaller } from "./codex/installer.ts";
import { copilotInstaller } from "./copilot/installer.ts";
import { geminiInstaller } from "./gemini/installer.ts";
import { opencodeInstaller } from "./opencode/installer.ts";
import { piInstaller } from "./pi/installer.ts";
import type { Installer } from "./port/installer.ts";

/** Hosts that `continuo install` knows. */
export const INSTALLERS: readonly Installer[] = [
  claudeCodeInstaller,
  opencodeInstaller,
  piInstaller,
  codexInstaller,
  copilotInstaller,
  geminiInstaller,
];
