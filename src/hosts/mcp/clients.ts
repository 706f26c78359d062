import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { Installer } from "../port/installer.ts";
import { type McpFile, mcpEntry } from "../shared/install/mcp-entry.ts";

/**
 * Programs that get Continuo's tools through their MCP settings, and nothing else, because they call no hooks. To add
 * one, add a line to `CLIENTS`. Their programs are never run: some would open a window.
 */
interface Client extends Pick<McpFile, "key" | "more"> {
  readonly label: string;
  /** The path of the settings file. */
  readonly file: (places: Places) => string;
  /** The folder that shows that the client is installed. */
  readonly folder: (places: Places) => string;
  readonly programs: readonly string[];
}

interface Places {
  readonly home: string;
  /** Where programs keep their settings: `~/.config`, `~/Library/Application Support`, `%APPDATA%`. */
  readonly settings: string;
  readonly platform: NodeJS.Platform;
}

const CLIENTS: Readonly<Record<string, Client>> = {
  // https://cursor.com/docs/context/mcp: "~/.cursor/mcp.json", key mcpServers
  cursor: {
    label: "Cursor",
    file: ({ home }) => join(home, ".cursor", "mcp.json"),
    folder: ({ home }) => join(home, ".cursor"),
    programs: ["cursor", "Cursor"],
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp: "~/.codeium/windsurf/mcp_config.json", key mcpServers
  windsurf: {
    label: "Windsurf",
    file: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    folder: ({ home }) => join(home, ".codeium", "windsurf"),
    programs: ["windsurf", "Windsurf"],
  },
  // https://zed.dev/docs/ai/mcp: key context_servers; https://zed.dev/docs/configuring-zed: ~/.config/zed on Linux and
  // macOS, %APPDATA%\Zed on Windows. The file may have comments.
  zed: {
    label: "Zed",
    key: "context_servers",
    file: (places) => join(zedFolder(places), "settings.json"),
    folder: zedFolder,
    programs: ["zed", "zed-editor", "Zed"],
  },
  // https://docs.cline.bot/mcp/configuring-mcp-servers: cline_mcp_settings.json in the extension's storage of VS Code
  cline: {
    label: "Cline",
    file: (places) => join(clineFolder(places), "settings", "cline_mcp_settings.json"),
    folder: clineFolder,
    programs: [],
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers: claude_desktop_config.json in
  // ~/Library/Application Support/Claude and %APPDATA%\Claude; builds for Linux use ~/.config/Claude
  "claude-desktop": {
    label: "Claude Desktop",
    file: ({ settings }) => join(settings, "Claude", "claude_desktop_config.json"),
    folder: ({ settings }) => join(settings, "Claude"),
    programs: ["Claude", "claude-desktop"],
  },
  // https://code.visualstudio.com/docs/copilot/chat/mcp-servers: mcp.json of the user's profile, key servers, type stdio
  vscode: {
    label: "VS Code",
    key: "servers",
    more: { type: "stdio" },
    file: ({ settings }) => join(settings, "Code", "User", "mcp.json"),
    folder: ({ settings }) => join(settings, "Code", "User"),
    programs: ["code", "Code"],
  },
  // https://kiro.dev/docs/mcp/configuration: "~/.kiro/settings/mcp.json", key mcpServers
  kiro: {
    label: "Kiro",
    file: ({ home }) => join(home, ".kiro", "settings", "mcp.json"),
    folder: ({ home }) => join(home, ".kiro"),
    programs: ["kiro", "Kiro"],
  },
  // https://lmstudio.ai/docs/app/mcp: "~/.lmstudio/mcp.json", in Cursor's notation
  "lm-studio": {
    label: "LM Studio",
    file: ({ home }) => join(home, ".lmstudio", "mcp.json"),
    folder: ({ home }) => join(home, ".lmstudio"),
    programs: ["lm-studio", "LM Studio"],
  },
};

/** System variables may move these folders; not every client respects them. */
function placesOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Places {
  const home = userHome(env);
  const settings = {
    win32: env["APPDATA"] || join(home, "AppData", "Roaming"),
    darwin: join(home, "Library", "Application Support"),
  }[platform as string];
  return { home, settings: settings ?? (env["XDG_CONFIG_HOME"] || join(home, ".config")), platform };
}

function zedFolder({ home, settings, platform }: Places): string {
  if (platform === "win32") return join(settings, "Zed");
  return join(platform === "darwin" ? join(home, ".config") : settings, "zed");
}

function clineFolder({ settings }: Places): string {
  return join(settings, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
}

export const MCP_CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/** The clients that `continuo install` can set up besides the hosts. */
export function mcpClients(platform: NodeJS.Platform = process.platform): readonly Installer[] {
  return Object.entries(CLIENTS).map(([host, client]) => installerOf(host, client, platform));
}

function installerOf(host: string, client: Client, platform: NodeJS.Platform): Installer {
  const { label, file, folder, programs, ...more } = client;
  const part = mcpEntry({ ...more, host, settingsFile: (env) => file(placesOf(env, platform)) });
  return {
    ...part,
    host,
    label,
    versionCommand: [],
    programs,
    folder: (env) => folder(placesOf(env, platform)),
    inspect(text, wiring, exists) {
      if (part.probes(text).length > 0) return part.inspect(text, wiring, exists);
      return [{ status: "warn", detail: "not installed", mend: `run: continuo install ${host}` }];
    },
  };
}

/** What to paste into the settings of an unknown client. */
export function pasteableEntry(launch: {
  readonly command: string;
  readonly args: readonly string[];
}): string {
  return JSON.stringify({ mcpServers: { continuo: launch } }, null, 2);
}
