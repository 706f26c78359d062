import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { LONG_START, WAITING } from "../../moments/state/part-marks.ts";
import type { Finding, Installer, ToDo, Wiring } from "../port/installer.ts";
import { findEntries } from "../shared/install/hook-entries.ts";
import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { named } from "../shared/install/hook-health.ts";
import { parseObject } from "../shared/install/jsonc.ts";
import { mcpEntry } from "../shared/install/mcp-entry.ts";
import { lastingLaunchOf } from "../shared/install/mcp-launch.ts";
import { readSettingsFile, withoutMark } from "../shared/install/settings-file.ts";
import { serverFile, serverOffIn, settingsFile } from "./files.ts";
import { claudeCode } from "./hook.ts";
import { permissionsPart } from "./permissions.ts";
import { statusLinePart } from "./status-line.ts";

const mcp = mcpEntry({
  host: "claude-code",
  settingsFile: serverFile,
  // No `alwaysLoad`: the server itself marks the tools that the model needs often, and the host defers the others.
  more: { type: "stdio" },
  strict: true,
  // Hooks call this server. If it cannot be started, even if just the package is gone, every hook shows an error.
  launch: lastingLaunchOf,
});
const permissions = permissionsPart(settingsFile);

export const claudeCodeInstaller: Installer = {
  ...hookFileInstaller({
    hook: claudeCode,
    versionCommand: ["claude", "--version"],
    settingsFile,
    timeout: (ms) => ms / 1000, // fractions of a second are allowed
    knows: (event, { hostVersion }) =>
      event !== "PostCompact" || (hostVersion !== undefined && isAtLeast(hostVersion, POST_COMPACT_SINCE)),
    callsServer,
    // Prompts are frequent, so their further entries start a process only while some session has waiting parts.
    mark: (event) => (event === "UserPromptSubmit" ? WAITING : LONG_START),
    refuse(text) {
      refuseComments(text);
      refusePlugin(text);
    },
    obstacle,
    remark,
    // Version 2.0 reads its hooks once, when a session begins.
    addedHolds: "within a few seconds, also in this session (in Claude Code 2.0, from the next one on)",
    mcp,
    statusLine: statusLinePart(settingsFile),
    permissions,
  }),
  programs: ["claude"],
  besides,
  serverOffIn,
  inspectVersion,
};

/**
 * The oldest version in which hooks that call a tool were tested. Such hooks exist since 2.1.118. For versions in
 * between it is unknown whether the host waits for a server that is still connecting and hides the tool from the model.
 * In 2.0.77 one such entry disables every hook in the file.
 */
const TOOL_HOOKS_SINCE = [2, 1, 325];

/**
 * Not if the user disabled the server in some project: every tool call there would show an error. Not on Windows
 * either: Git Bash has its own process ids, so the hook that replaces a missing server could not detect that it is
 * missing.
 */
function callsServer({ hostVersion, mcp }: Wiring): boolean {
  if (process.platform === "win32" || hostVersion === undefined || mcp === undefined) return false;
  return mcp.offIn.length === 0 && isAtLeast(hostVersion, TOOL_HOOKS_SINCE);
}

function remark(wiring: Wiring): string {
  const { hostVersion, mcp } = wiring;
  if (hostVersion === undefined)
    return "each starts a process, and PostCompact is left out, because at installation no `claude` outside of projects told its version";
  if (callsServer(wiring)) return "they call its MCP server";
  const { offIn = [] } = mcp ?? {};
  return offIn.length === 0
    ? "each starts a process"
    : `each starts a process, because its MCP server is switched off in ${named(offIn)}`;
}

/**
 * Claude Code asks before each call of a tool that its settings do not allow; `claude -p` cannot ask, and refuses the
 * call.
 */
function besides(env: NodeJS.ProcessEnv, changed: boolean): ToDo[] {
  const text = (file: string) => withoutMark(readSettingsFile(file) ?? "");
  const hasServer = (mcp.count(text(serverFile(env))).servers ?? 0) > 0;
  const isAllowed = (permissions.count(text(settingsFile(env))).permissions ?? 0) > 0;
  return changed && hasServer && !isAllowed
    ? [
        {
          what: "Optional: let Claude Code use Continuo's read-only tools without asking",
          how: "continuo install claude-code --allow-tools",
        },
      ]
    : [];
}

/** The program may have been replaced by an older or newer one meanwhile. Checked only if that would matter. */
async function inspectVersion(
  text: string,
  wiring: Wiring,
  askVersion: () => Promise<string | undefined>,
): Promise<Finding[]> {
  const found = findEntries("claude-code", text);
  const isTool = found.some(({ call }) => call.kind === "tool");
  if (found.length === 0 || (!isTool && (wiring.mcp === undefined || callsServer(wiring)))) return [];
  const version = await askVersion();
  if (version === undefined) return [];
  if (!isTool && callsServer({ ...wiring, hostVersion: version })) {
    const detail = `each hook starts a process, but Claude Code ${version} can call the MCP server`;
    return [{ status: "warn", detail, mend: "run: continuo install claude-code" }];
  }
  if (!isTool || isAtLeast(version, TOOL_HOOKS_SINCE)) return [];
  const detail = `its hooks need Claude Code ${TOOL_HOOKS_SINCE.join(".")}; this is ${version}, which may load no hook at all`;
  return [{ status: "fail", detail, mend: "run: continuo install claude-code" }];
}

/**
 * Claude Code loads no hooks at all from a file that is not strict JSON, so an installation there would have no effect.
 */
function refuseComments(text: string): void {
  parseObject(text);
  if (isStrictJson(text)) return;
  throw new ContinuoError(
    "settings-not-strict",
    "Claude Code does not load settings with comments or trailing commas",
    { hint: "remove them from the file first; nothing was changed" },
  );
}

/** Continuo's plugin has hooks and an MCP server: a second set of hooks would start a second process each time. */
function refusePlugin(text: string): void {
  if (!hasPlugin(text)) return;
  throw new ContinuoError("plugin-enabled", "Continuo's plugin is enabled in Claude Code and does the same", {
    hint: "keep the plugin, or disable it first: claude plugin disable continuo",
  });
}

function hasPlugin(text: string): boolean {
  const plugins = parseObject(text)["enabledPlugins"];
  return Object.entries(isRecord(plugins) ? plugins : {}).some(
    ([name, value]) => name.startsWith("continuo@") && value !== false,
  );
}

function isStrictJson(text: string): boolean {
  try {
    parseObject(text, true);
    return true;
  } catch {
    return false; // the caller says what that means
  }
}

/** In earlier versions, an unknown event name disables every hook in the file. */
const POST_COMPACT_SINCE = [2, 1, 76];

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, part] of wanted.entries()) {
    const difference = (parts[i] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function obstacle(text: string): Finding | undefined {
  const settings = parseObject(text);
  if (!isStrictJson(text)) {
    const detail = "its settings file is not strict JSON, so no hook in it is loaded";
    return {
      status: "fail",
      detail,
      mend: "remove comments and trailing commas from it, then install again",
    };
  }
  if (settings["disableAllHooks"] === true) {
    const detail = "disableAllHooks is set, so no hook runs";
    return { status: "fail", detail, mend: "remove it from the settings" };
  }
  if (!hasPlugin(text)) return undefined;
  if (findEntries("claude-code", text).length === 0)
    return { status: "ok", detail: "installed as a plugin", mend: "" };
  const detail = "set up twice: by the plugin and by hooks in the settings";
  return { status: "warn", detail, mend: "run: continuo uninstall claude-code, or disable the plugin" };
}
