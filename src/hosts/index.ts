import { HOST_NAMES, type HostName } from "../base/host-names.ts";
import type { Room } from "../compose/room.ts";
import type { LoadHistory } from "../moments/ports/history.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilotInClaudesForm } from "./copilot/in-claudes-form.ts";
import { copilot } from "./copilot/index.ts";
import { cursor } from "./cursor/hook.ts";
import { gemini } from "./gemini/index.ts";
import { opencode } from "./opencode/index.ts";
import { pi } from "./pi/index.ts";
import type { HookCaller } from "./port/hook-host.ts";
import type { Host } from "./port/host.ts";
import type { Installer } from "./port/installer.ts";
import { roomAt } from "./shared/hook/events.ts";
import { vscode } from "./vscode/hook.ts";

/** Every host. A new host needs a folder, its name in `base/host-names.ts`, and a line here, which the compiler asks for. */
const HOSTS: Readonly<Record<HostName, Host>> = {
  "claude-code": claudeCode,
  opencode,
  pi,
  codex,
  copilot,
  gemini,
};

/**
 * Hosts that call `continuo hook`, followed by programs that run those hosts' hooks. The first one that recognises the
 * payload is its sender.
 */
export const HOOK_HOSTS: readonly HookCaller[] = [
  ...HOST_NAMES.flatMap((name) => HOSTS[name].hook ?? []),
  cursor,
  copilotInClaudesForm,
  vscode,
];

/** How much of one output a host shows the model when a session begins; undefined if it shows everything. */
export function openingRoom(name: string): Room | undefined {
  const host = HOOK_HOSTS.find((one) => one.name === name);
  return host && roomAt(host, host.opening);
}

/** What `continuo install` can set up, in the order of the names. */
export function loadInstallers(): Promise<readonly Installer[]> {
  return Promise.all(HOST_NAMES.map((name) => HOSTS[name].installer()));
}

/** The transcript readers of all hosts. Loaded when a source first needs them: most moments read no past session. */
export const loadHistory: LoadHistory = async () => {
  const readers = await Promise.all(HOST_NAMES.map((name) => HOSTS[name].history()));
  return new Map(readers.map((reader) => [reader.host, reader]));
};
