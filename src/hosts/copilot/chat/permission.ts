import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isRecord } from "../../../base/json.ts";
import type { PermissionRequest, SamePermission } from "../../port/chat.ts";
import { type Payload, text } from "../../shared/fields.ts";

/**
 * What the agent wants to do, as a person is asked. The runtime has approvals for a whole session too, but they are wider
 * than they look: one for edits also covers files outside the project. So Continuo decides what counts as the same.
 */
export function permissionOf(request: unknown, cwd: string): PermissionRequest {
  const data: Payload = isRecord(request) ? request : {};
  const why = text(data, "intention") ?? text(data, "hookMessage");
  const reason = why === undefined || why === "" ? {} : { reason: why };
  switch (text(data, "kind")) {
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
      const file = resolve(cwd, text(data, "fileName") ?? "");
      return {
        kind: "edit",
        tool: "edit",
        detail: file,
        ...reason,
        diff: text(data, "diff") ?? "",
        ...sameFolder("edits", file, cwd),
      };
    }
    case "read": {
      const file = resolve(cwd, text(data, "path") ?? "");
      return { kind: "read", tool: "view", detail: file, ...reason, ...sameFolder("reads", file, cwd) };
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

/** All files of the project count as the same, except git's own, which can make it run programs. */
function sameFolder(what: "edits" | "reads", file: string, cwd: string): { same?: SamePermission } {
  const root = real(cwd);
  const inside = relative(root, real(file));
  const isInside = inside !== "" && !inside.startsWith(`..${sep}`) && inside !== ".." && !isAbsolute(inside);
  if (!isInside || inside.split(sep).some((part) => part.toLowerCase() === ".git")) return {};
  return sameAs({ key: `${what} ${root}`, label: `all ${what} in this project` });
}

/** Through links, also for a file that does not exist yet. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), path.slice(parent.length).replace(/^[\\/]+/, ""));
  }
}
