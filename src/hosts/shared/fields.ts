import { isRecord } from "../../base/json.ts";
import type { HostEvent } from "../../moments/host-event.ts";
import type { Moment, ToolMoment } from "../../moments/types.ts";
import type { HostTools } from "../port/hook-host.ts";
import { toolUse } from "./tool-use/host-tools.ts";

/** Some payloads contain a tool's output. Larger payloads are not read. */
export const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** A payload from a host. In another version of the host, any field may be missing or have another type. */
export type Payload = Readonly<Record<string, unknown>>;

export function text(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function record(payload: Payload, key: string): Record<string, unknown> {
  const value = payload[key];
  return isRecord(value) ? value : {};
}

/** Converts keys such as `sessionId` to `session_id`. If both exist, the one in snake case wins. */
export function inSnakeCase(payload: Payload): Payload {
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const renamed = Object.entries(payload).map(([key, value]) => [snake(key), value]);
  return { ...Object.fromEntries(renamed), ...payload };
}

/** The fields that every moment has. */
export type Common = Pick<
  Moment,
  "session" | "project" | "cwd" | "at" | "model" | "agent" | "transcript" | "shows"
>;

export function moment(moment: Moment): HostEvent {
  return { kind: "moment", moment };
}

/** A call of one of the host's tools. */
export function toolMoment(
  common: Common,
  name: string | undefined,
  input: Record<string, unknown>,
  tools: HostTools,
  response?: unknown,
): ToolMoment {
  const isNew = response === undefined ? undefined : tools.isNewFile?.(name ?? "", response);
  const use = toolUse(tools, name ?? "", input, common.cwd, common.project.root, isNew);
  const hasFailed = response !== undefined && tools.hasFailed?.(name ?? "", response) === true;
  const tool = { name: name ?? "", input, ...use, hasFailed: hasFailed || undefined };
  return { ...common, name: "tool", tool };
}
