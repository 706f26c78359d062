import { resolve } from "node:path";
import { isRecord } from "../../../base/json.ts";
import type { PermissionRequest, SamePermission } from "../../../moments/ports/chat.ts";
import { type Payload, text } from "../../shared/fields.ts";
import { followed } from "./followed.ts";

/**
 * Turns the runtime's request into a question for the user. The runtime can also approve for a whole session, but its
 * approvals are wider than they look: one for edits also covers files outside the project. So Continuo decides which
 * requests count as the same.
 */
export function permissionOf(request: unknown, cwd: string): PermissionRequest {
  const data: Payload = isRecord(request) ? request : {};
  const kind = text(data, "kind");
  // A hook's reason must not be replaced by the model's words.
  const reason = text(data, kind === "hook" ? "hookMessage" : "intention");
  const json = (value: unknown): string => JSON.stringify(value ?? {}, null, 1);
  const asked = (): PermissionRequest => {
    switch (kind) {
      case "shell": {
        const detail = text(data, "fullCommandText") ?? "";
        const same = { key: `command ${detail}`, label: "this exact command" };
        return { kind: "command", tool: "bash", detail, same };
      }
      case "write": {
        const file = text(data, "fileName") ?? "";
        const diff = text(data, "diff") ?? "";
        return {
          kind: "edit",
          tool: "edit",
          detail: resolve(cwd, file),
          diff,
          ...sameFolder("edits", file, cwd),
        };
      }
      case "read": {
        const file = text(data, "path") ?? "";
        return { kind: "read", tool: "view", detail: resolve(cwd, file), ...sameFolder("reads", file, cwd) };
      }
      case "url": {
        const detail = text(data, "url") ?? "";
        const origin = URL.canParse(detail) ? new URL(detail).origin : "null";
        const same = origin === "null" ? {} : { same: { key: `url ${origin}`, label: origin } };
        return { kind: "url", tool: "web_fetch", detail, ...same };
      }
      case "mcp":
      case "custom-tool": {
        const tool = [text(data, "serverName"), text(data, "toolName")].filter(Boolean).join(" ");
        const same = { key: `tool ${tool}`, label: `the tool ${tool}` };
        return { kind: "tool", tool, detail: json(data["args"]), same };
      }
      case "hook":
        // One of the user's rules requires a question, every time.
        return { kind: "rule", tool: text(data, "toolName") ?? "", detail: json(data["toolArgs"]) };
      default:
        return { kind: "other", tool: kind ?? "unknown", detail: json(data) };
    }
  };
  return { ...asked(), reason };
}

/**
 * All files of the project count as the same request, except those behind a link and git's own, which can make git run
 * programs.
 */
function sameFolder(
  what: "edits" | "reads",
  path: string,
  cwd: string,
): { target?: string; same?: SamePermission } {
  const { rest, isLinked, target } = followed(path, cwd);
  if (isLinked) return { target };
  const isInside = rest !== undefined && rest.length > 0;
  if (!isInside || rest.some((part) => part.toLowerCase() === ".git")) return {};
  return { same: { key: `${what} ${cwd}`, label: `all ${what} in this project` } };
}
