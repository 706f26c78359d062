import { HOST_NAMES } from "../../../hosts/names.ts";
import { applyUninstall, isChange, planUninstall } from "../../../hosts/shared/install/wire.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { showDiff } from "../../terminal/diff.ts";
import { findInstaller } from "./wiring.ts";

export const uninstall: Command = {
  name: "uninstall",
  summary: "take Continuo out of a host again; your data stays",
  usage: "uninstall HOST [--dry-run]",
  options: { "dry-run": { type: "boolean" } },
  words: HOST_NAMES,
  async run(input) {
    const installer = await findInstaller(input, input.positionals[0], "uninstall");
    const home = findHome(input.env);
    const changes = planUninstall(installer, input.env, home);
    const made = changes.filter(isChange);
    const dryRun = input.values["dry-run"] === true;
    const data = { host: installer.host, changed: made.length > 0, dryRun };
    if (made.length === 0) {
      const looked = changes.map(({ file }) => file).join(" or ");
      const text = `There is nothing of ours in ${looked}; nothing was changed.`;
      return { data: { ...data, files: [] }, text };
    }
    const diffs = await Promise.all(made.map(showDiff));
    const files = made.map(({ file }, i) => ({ file, diff: diffs[i] }));
    if (dryRun)
      return { data: { ...data, files }, text: [...diffs, "Dry run: nothing was changed."].join("\n") };
    applyUninstall(changes, installer, home);
    const last = `${installer.label} no longer calls Continuo. Your data stays in ${home.root}.`;
    return { data: { ...data, files }, text: [...diffs, last].join("\n") };
  },
};
