import type { Room } from "../compose/room.ts";
import { HOOK_HOSTS } from "./hooks.ts";

/** The event with which a session's first text comes, in hosts where it is not `SessionStart`. */
const OPENING: Readonly<Record<string, string>> = { copilot: "userPromptSubmitted", gemini: "BeforeAgent" };

/** What a host shows of one output when a session begins; undefined where it shows everything. */
export function openingRoom(name: string): Room | undefined {
  const host = HOOK_HOSTS.find((one) => one.name === name);
  return host?.room(OPENING[name] ?? "SessionStart");
}
