import { resolve } from "node:path";
import { isRecord } from "../../../base/json.ts";
import type { PermissionRequest, SamePermission } from "../../port/chat.ts";
import { type Payload, text } from "../../shared/fields.ts";
import { followed } from "./followed.ts";

/**
 * What the agent wants to do, as a person is asked. The runtime has approvals for a whole session too, but they are wider
 * than they look: one for edits also covers files outside the project. So Continuo decides what counts as the same.
 */
export function permissionOf(request: unknown, cwd: string): PermissionRequest {
  const data: Payload = isRecord(request) ? request : {};
  const kind = text(data, "kind");
  // What a rule says must not come from the model.
  const why = text(data, kind === "hook" ? "hookMessage" : "intention");
  const reason = why === undefined || why === "" ? {} : { reason: why };
  switch (kind) {
    case "shell": {
      const command = text(data, "fullCommandText") ?? "";
      return {
        kind: "command",
        tool: "bash",
        detail: command,
        ...reason,
        same: { key: `command ${command}`, label: "this exact command" },
      };
    }
    case "write": {
      const file = text(data, "fileName") ?? "";
      return {
        kind: "edit",
        tool: "edit",
        detail: resolve(cwd, file),
        ...reason,
        diff: text(data, "diff") ?? "",
        ...sameFolder("edits", file, cwd),
      };
    }
    case "read": {
      const file = text(data, "path") ?? "";
      return {
        kind: "read",
        tool: "view",
        detail: resolve(cwd, file),
        ...reason,
        ...sameFolder("reads", file, cwd),
      };
    }
    case "url": {
      const url = text(data, "url") ?? "";
      const origin = URL.canParse(url) ? new URL(url).origin : undefined;
      const same =
        origin === undefined || origin === "null" ? {} : sameAs({ key: `url ${origin}`, label: origin });
      return { kind: "url", tool: "web_fetch", detail: url, ...reason, ...same };
    }
    case "mcp":
    case "custom-tool": {
      const tool = [text(data, "serverName"), text(data, "toolName")].filter(Boolean).join(" ");
      return {
        kind: "tool",
        tool,
        detail: JSON.stringify(data["args"] ?? {}, null, 1),
        ...reason,
        same: { key: `tool ${tool}`, label: `the tool ${tool}` },
      };
    }
    case "hook":
      // A rule of the user says that it must be asked for: every time.
      return {
        kind: "rule",
        tool: text(data, "toolName") ?? "",
        detail: JSON.stringify(data["toolArgs"] ?? {}, null, 1),
        ...reason,
      };
    default:
      return {
        kind: "other",
        tool: text(data, "kind") ?? "unknown",
        detail: JSON.stringify(data, null, 1),
        ...reason,
      };
  }
}

function sameAs(same: SamePermission): { same: SamePermission } {
  return { same };
}

/** All files of the project count as the same, except what a link leads to, and git's own, which can make it run programs. */
function sameFolder(
  what: "edits" | "reads",
  path: string,
  cwd: string,
): { target?: string; same?: SamePermission } {
  const { rest, isLinked, target } = followed(path, cwd);
  if (isLinked) return { target };
  const isInside = rest !== undefined && rest.length > 0;
  if (!isInside || rest.some((part) => part.toLowerCase() === ".git")) return {};
  return sameAs({ key: `${what} ${cwd}`, label: `all ${what} in this project` });
}
