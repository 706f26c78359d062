import type { History, LoadHistory } from "../moments/ports/history.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilot } from "./copilot/index.ts";
import { gemini } from "./gemini/index.ts";
import { HOST_NAMES, type HostName } from "./names.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import type { HookHost } from "./port/hook-host.ts";
import type { Host } from "./port/host.ts";
import type { Installer } from "./port/installer.ts";

/** Every host. A new one is a folder, its name in `names.ts`, and its line here, which the compiler asks for. */
export const HOSTS = {
  "claude-code": claudeCode,
  opencode,
  pi,
  copilot,
  codex,
  gemini,
} satisfies Record<HostName, Host>;

const hosts: Readonly<Record<string, Host>> = HOSTS;

/** The adapter of a host that runs `continuo hook`; undefined for other names. */
export async function loadHookHost(name: string): Promise<HookHost | undefined> {
  return Object.hasOwn(hosts, name) ? hosts[name]?.hook?.() : undefined;
}

/** Names of the hosts that run `continuo hook`. */
export const HOOK_HOST_NAMES: readonly string[] = HOST_NAMES.filter((name) => "hook" in HOSTS[name]);

/** In the order of the names. */
export function loadInstallers(): Promise<readonly Installer[]> {
  return Promise.all(HOST_NAMES.map((name) => HOSTS[name].installer()));
}

/** The readers are loaded when a source first asks for them: most moments read no past session. */
export const loadHistory: LoadHistory = async (): Promise<History> => {
  const readers = await Promise.all(HOST_NAMES.map((name) => HOSTS[name].history()));
  return new Map(readers.map((reader) => [reader.host, reader]));
};
