import { dirname, join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { shellWord } from "../../../base/text.ts";
import type { ChatPackage } from "../../../moments/ports/chat.ts";
import type { Home } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";

const NAME = "@github/copilot-sdk";
const TESTED = "1.0.14";
/** Including its runtime, for Linux x64. */
const DOWNLOAD_MB = 50;
const DISK_MB = 130;

export interface FoundSdk extends ChatPackage {
  /** The file to import; absent if the package is not installed. */
  readonly entry?: string;
}

export function chatFolder(home: Home): string {
  return join(home.root, "chat");
}

/**
 * Looks in Continuo's home, then where npm installs global packages. Never in a project, whose author would then decide
 * what is executed here.
 */
export function findSdk(home: Home): FoundSdk {
  const folder = chatFolder(home);
  const about = {
    name: NAME,
    wanted: TESTED,
    folder,
    command: `npm install --ignore-scripts --prefix ${shellWord(folder)} ${NAME}@${TESTED}`,
    downloadMB: DOWNLOAD_MB,
    diskMB: DISK_MB,
  };
  for (const modules of [join(folder, "node_modules"), globalModules()]) {
    const version = versionIn(join(modules, NAME, "package.json"));
    if (version === undefined) continue;
    return { ...about, isInstalled: true, version, entry: join(modules, NAME, "dist", "index.js") };
  }
  return { ...about, isInstalled: false };
}

function globalModules(): string {
  const bin = dirname(process.execPath);
  return process.platform === "win32" ? join(bin, "node_modules") : join(dirname(bin), "lib", "node_modules");
}

function versionIn(manifest: string): string | undefined {
  try {
    const text = readTextIfAny(manifest, { maxBytes: 1024 * 1024 });
    const value = text === undefined ? undefined : parseBounded(text);
    const version = isRecord(value) ? value["version"] : undefined;
    return typeof version === "string" ? version.slice(0, 50) : undefined;
  } catch {
    return undefined; // half installed: npm is still writing it
  }
}
