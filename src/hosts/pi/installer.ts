import { dirname, join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { Finding, Installer, Wiring } from "../port/installer.ts";
import { addExtension, ourExtensions, removeExtensions } from "./settings.ts";

/** The bundled extension, beside our command line's script. Its name is how an uninstall finds it again. */
export const BUNDLE = "continuo-pi.js";

/** pi loads Continuo from one line of its settings, in its own process: there is no command to run per event. */
export const piInstaller: Installer = {
  host: "pi",
  label: "pi",
  versionCommand: ["pi", "--version"],
  programs: ["pi"],
  settingsFile: (env) =>
    join(env["PI_CODING_AGENT_DIR"] || join(userHome(env), ".pi", "agent"), "settings.json"),
  add: (text, wiring) => addExtension(text, extensionOf(wiring)),
  remove: removeExtensions,
  count: (text) => ({ plugins: ourExtensions(text).length }),
  inspect,
  probes: (text) =>
    ourExtensions(text).map((path) => ({ kind: "module", path, exports: 'typeof it === "function"' })),
};

function extensionOf(wiring: Wiring): string {
  return join(dirname(wiring.script), BUNDLE);
}

function inspect(text: string, wiring: Wiring, exists: (path: string) => boolean): Finding[] {
  const mend = "run: continuo install pi";
  const ours = ourExtensions(text);
  const [path] = ours;
  if (path === undefined) return [{ status: "warn", detail: "not installed", mend }];
  const gone = ours.filter((one) => !exists(one));
  if (gone.length > 0)
    return [{ status: "fail", detail: `its settings name ${gone.join(" and ")}, which is not there`, mend }];
  if (ours.length > 1) return [{ status: "fail", detail: "pi loads Continuo twice", mend }];
  if (path !== extensionOf(wiring))
    return [{ status: "warn", detail: `installed, but from another location: ${path}`, mend }];
  return [{ status: "ok", detail: "installed (one extension)", mend: "" }];
}
