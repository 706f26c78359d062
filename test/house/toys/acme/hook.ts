import type { HookHost } from "../port/hook-host.ts";
import { reads } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

export const acme: HookHost = {
  name: "acme",
  label: "Acme",
  events: {
    Begin: { kind: "start", sources: {}, otherwise: "start" },
    Ask: { kind: "prompt" },
  },
  opening: "Begin",
  room: { most: 50_000, unit: "characters" },
  fields: { session: "id", transcript: "log", tool: "tool", toolInput: "input" },
  reply: {
    context: "top",
    verdict: "top",
    decision: "decision",
    reason: "reason",
    canAsk: false,
    showsLines: false,
  },
  tools: hostTools({ open: reads("path") }),
};
