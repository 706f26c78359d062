import type { HookHost } from "../port/hook-host.ts";
import { filesByTool } from "../shared/named-file.ts";

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
  filesOf: filesByTool({ open: "read" }, (input) => input["path"]),
};
