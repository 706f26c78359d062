import type { HostName, LastRequest } from "../moments/types.ts";
import { claudeCodeLastRequest } from "./claude-code/last-request.ts";

const READERS: Partial<Record<HostName, (path: string) => LastRequest | undefined>> = {
  "claude-code": claudeCodeLastRequest,
};

/** undefined when the host's history cannot be read, or holds no request. */
export function lastRequest(host: HostName, transcript: string): LastRequest | undefined {
  return READERS[host]?.(transcript);
}
