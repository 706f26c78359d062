import { rmSync } from "node:fs";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { readText } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { isHookTool } from "../../names.ts";

/**
 * The unanswered requests of a server, by id, in a file. If the server is killed and restarted on the same pipes, the
 * host notices nothing and would wait for their answers forever; so the next server reports them as failed. Of hooks
 * only those at a prompt are stored: the others have short timeouts, which the host does not show.
 */
export interface OpenRequests {
  /** Requests that the previous server left unanswered. Empty the next time. */
  takeLeft(): OpenRequest[];
  opened(message: unknown): void;
  answered(message: unknown): void;
}

interface OpenRequest {
  readonly id: Id;
  readonly isHook: boolean;
}

type Id = string | number;

export function openRequests(file: string, isStartedAgain: boolean): OpenRequests {
  const open = new Map<Id, OpenRequest>();
  const save = () => {
    if (open.size === 0) rmSync(file, { force: true });
    else writeFileAtomic(file, JSON.stringify([...open.values()]), { durable: false });
  };
  return {
    takeLeft() {
      const left = isStartedAgain ? requestsIn(file) : [];
      rmSync(file, { force: true });
      return left;
    },
    opened(message) {
      if (!isRecord(message) || !isId(message["id"]) || typeof message["method"] !== "string") return;
      const event = hookEvent(message);
      if (event !== undefined && event !== "UserPromptSubmit") return;
      open.set(message["id"], { id: message["id"], isHook: event !== undefined });
      save();
    },
    answered(message) {
      if (!isRecord(message) || !isId(message["id"]) || "method" in message) return;
      if (open.delete(message["id"])) save();
    },
  };
}

/** The event of a hook that calls the tool. */
function hookEvent({ method, params }: Readonly<Record<string, unknown>>): unknown {
  if (method !== "tools/call" || !isRecord(params) || !isHookTool(params["name"])) return undefined;
  return (isRecord(params["arguments"]) ? params["arguments"]["event"] : undefined) ?? "";
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || typeof value === "number";
}

function requestsIn(file: string): OpenRequest[] {
  try {
    const value = parseBounded(readText(file, { maxBytes: 64 * 1024 }));
    const found = Array.isArray(value) ? value.filter(isRecord) : [];
    return found.flatMap(({ id, isHook }) => (isId(id) ? [{ id, isHook: isHook === true }] : []));
  } catch {
    return []; // the previous server left none
  }
}
