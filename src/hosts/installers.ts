import { claudeCodeInstaller } from "./claude-code/installer.ts";
import type { Installer } from "./installer.ts";
import { opencodeInstaller } from "./opencode/installer.ts";

/** Hosts that `continuo install` knows. */
export const INSTALLERS: readonly Installer[] = [claudeCodeInstaller, opencodeInstaller];
