import type { HostName, LastRequest } from "../../../moments/types.ts";
import { claudeCodeLastRequest } from "../../claude-code/history/last-request.ts";
import { codexLastRequest } from "../../codex/history/last-request.ts";
import { copilotLastRequest } from "../../copilot/history/last-request.ts";
import { geminiLastRequest } from "../../gemini/history/last-request.ts";
import { piLastRequest } from "../../pi/history/last-request.ts";

const READERS: Partial<Record<HostName, (path: string) => LastRequest | undefined>> = {
  "claude-code": claudeCodeLastRequest,
  codex: codexLastRequest,
  copilot: copilotLastRequest,
  gemini: geminiLastRequest,
  pi: piLastRequest,
};

/** undefined when the host's history cannot be read, or holds no request. */
export function lastRequest(host: HostName, transcript: string): LastRequest | undefined {
  return READERS[host]?.(transcript);
}
