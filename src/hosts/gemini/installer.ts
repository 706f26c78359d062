import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { mcpEntry } from "../shared/install/mcp-entry.ts";
import { gemini, settingsFile } from "./hook.ts";

export const geminiInstaller = hookFileInstaller({
  hook: gemini,
  versionCommand: ["gemini", "--version"],
  settingsFile,
  timeout: (ms) => ms, // milliseconds, unlike every other host
  // Gemini shows the name beside the line for the user, instead of the whole command.
  more: () => ({ name: "continuo" }),
  mcp: mcpEntry({ host: "gemini", settingsFile }),
});
