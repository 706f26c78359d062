import { applyUninstall, planUninstall } from "../hosts/wire.ts";
import { findHome } from "../store/home.ts";
import type { Command } from "./command.ts";
import { showDiff } from "./diff.ts";
import { findInstaller, HOST_NAMES } from "./wiring.ts";

export const uninstall: Command = {
  name: "uninstall",
  summary: "take Continuo out of a host again; your data stays",
  usage: "uninstall HOST [--dry-run]",
  options: { "dry-run": { type: "boolean" } },
  words: HOST_NAMES,
  async run(input) {
    const installer = findInstaller(input.positionals[0], "uninstall");
    const home = findHome(input.env);
    const change = planUninstall(installer, input.env, home);
    const data = {
      host: installer.host,
      file: change.file,
      changed: change.before !== change.after,
      dryRun: input.values["dry-run"] === true,
    };
    if (!data.changed)
      return { data, text: `There is nothing of ours in ${change.file}; nothing was changed.` };
    const diff = await showDiff(change);
    if (data.dryRun) return { data: { ...data, diff }, text: `${diff}\nDry run: nothing was changed.` };
    applyUninstall(change, installer, home);
    return {
      data: { ...data, diff },
      text: `${diff}\n${installer.label} no longer calls Continuo. Your data stays in ${home.root}.`,
    };
  },
};
