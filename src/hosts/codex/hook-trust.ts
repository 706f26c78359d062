import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { ToDo } from "../port/installer.ts";
import { findEntries } from "../shared/install/hook-entries.ts";
import { readSettingsFile, withoutMark } from "../shared/install/settings-file.ts";
import { statementsOf } from "../shared/install/toml.ts";

export function codexFolder(env: NodeJS.ProcessEnv): string {
  return env["CODEX_HOME"] || join(userHome(env), ".codex");
}

/**
 * Codex leaves out hooks that nobody trusted, without a message. It keeps its trust in `config.toml`, in tables
 * `[hooks.state."<path of hooks.json>:<event>:<group>:<index>"]` with the hash of the hook (codex-rs, hooks/engine). Whether
 * the hash is still right is not looked at.
 */
export function trustedHooks(env: NodeJS.ProcessEnv): number {
  const text = withoutMark(readSettingsFile(join(codexFolder(env), "config.toml")) ?? "");
  const file = join(codexFolder(env), "hooks.json");
  const keys = statementsOf(text)
    .map(({ path }) => path)
    .filter(([first, second, , last]) => first === "hooks" && second === "state" && last === "trusted_hash")
    .map(([, , key = ""]) => key);
  return new Set(keys.filter((key) => key.startsWith(`${file}:`))).size;
}

/** What to do in Codex so that it runs the hooks; nothing if it trusts as many as there are. */
export function trustToDo(env: NodeJS.ProcessEnv, changed: boolean): ToDo[] {
  const hooks = findEntries(
    "codex",
    withoutMark(readSettingsFile(join(codexFolder(env), "hooks.json")) ?? ""),
  ).length;
  const how = "start codex, type /hooks, and trust the hooks of Continuo";
  try {
    const trusted = trustedHooks(env);
    if (hooks === 0 || (!changed && trusted >= hooks)) return [];
    const what =
      trusted === 0
        ? "Codex does not run these hooks yet"
        : "Codex runs only hooks that you trusted, and again after a change";
    return [{ what, how }];
  } catch {
    return [{ what: "Codex runs only hooks that you trusted", how }]; // its config cannot be read; Codex says so
  }
}
