import { dirname, join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { Finding, Installer, Wiring } from "../port/installer.ts";
import { edit, leaveAsIn, removeElement } from "../shared/install/json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "../shared/install/jsonc.ts";

/** The bundled extension, beside the command line's script. An uninstall finds it by this name. */
export const BUNDLE = "continuo-pi.js";

/** pi loads Continuo into its own process, from one line of its settings: no command runs per event. */
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

/** Edits pi's settings as text, to keep the order and indentation of the user's file. */

/** Whether this entry of "extensions" is Continuo's, regardless of version and folder. */
function isOurs(entry: unknown): entry is string {
  return typeof entry === "string" && /(^|[\\/])continuo-pi\.js$/.test(entry);
}

function ourExtensions(text: string): string[] {
  return extensions(text).filter(isOurs);
}

function addExtension(text: string, path: string): string {
  const ours = ourExtensions(text);
  if (ours.length === 1 && ours[0] === path) return text;
  refuseTwins(text, [], (key) => key === "extensions");
  const cleaned = withoutOurs(text);
  return parseObject(cleaned, true)["extensions"] === undefined
    ? edit(cleaned, ["extensions"], [path])
    : edit(cleaned, ["extensions", extensions(cleaned).length], path);
}

/**
 * Removes Continuo's entries. An empty list that was in `original`, before the installation, is the user's and stays.
 */
function removeExtensions(text: string, original = ""): string {
  if (ourExtensions(text).length === 0) return text;
  const left = withoutOurs(text);
  return leaveAsIn(original, left, ["extensions"]);
}

function withoutOurs(text: string): string {
  // Backwards, so that earlier indexes stay valid.
  return extensions(text).reduceRight<string>(
    (result, entry, at) => (isOurs(entry) ? removeElement(result, ["extensions"], at) : result),
    text,
  );
}

/** pi allows no comments in its settings. */
function extensions(text: string): unknown[] {
  const list = parseObject(text, true)["extensions"] ?? [];
  if (!Array.isArray(list)) throw invalidSettings('is not usable: "extensions" is not a list');
  return list;
}
