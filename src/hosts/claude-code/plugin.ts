import { isRecord } from "../../store/settings.ts";
import type { Finding, Installer } from "../installer.ts";

/** Claude Code may have our hooks from its settings or from our plugin: `doctor` has to know of both. */
export function besidePlugin(installer: Installer): Installer {
  return {
    ...installer,
    inspect(text, wiring, exists) {
      const findings = installer.inspect(text, wiring, exists);
      if (!hasPlugin(text)) return findings;
      if (installer.remove(text) !== text) return [...findings, TWICE];
      // What stops hooks from being loaded at all stops the plugin's too.
      const grave = findings.filter((finding) => finding.status === "fail");
      return grave.length > 0 ? grave : [AS_PLUGIN];
    },
  };
}

const AS_PLUGIN: Finding = { status: "ok", detail: "installed as a plugin", mend: "" };

const TWICE: Finding = {
  status: "warn",
  detail: "installed as a plugin too: everything is delivered once, but each event costs two processes",
  mend: "keep one: continuo uninstall claude-code, or claude plugin uninstall continuo@continuo",
};

/** Is our plugin enabled for the user, whatever its marketplace is called? */
function hasPlugin(settings: string): boolean {
  const enabled = parsed(settings)?.["enabledPlugins"];
  if (!isRecord(enabled)) return false;
  return Object.entries(enabled).some(([name, value]) => name.startsWith("continuo@") && value === true);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // Claude Code loads nothing from such a file, and the installer's own findings say so
  }
}
