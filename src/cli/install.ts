import { applyInstall, type Change, planInstall } from "../hosts/wire.ts";
import { findHome } from "../store/home.ts";
import type { Command } from "./command.ts";
import { showDiff } from "./diff.ts";
import { askVersion, findInstaller, HOST_NAMES, wiringOf } from "./wiring.ts";

export const install: Command = {
  name: "install",
  summary: "wire Continuo into a host; shows the diff, keeps a backup",
  usage: "install HOST [--dry-run]",
  options: { "dry-run": { type: "boolean" } },
  words: HOST_NAMES,
  async run(input) {
    const installer = findInstaller(input.positionals[0], "install");
    const home = findHome(input.env);
    const wiring = wiringOf(input, home, askVersion(installer, input.env));
    const change: Change = planInstall(installer, input.env, wiring);
    const data = {
      host: installer.host,
      file: change.file,
      changed: change.before !== change.after,
      dryRun: input.values["dry-run"] === true,
    };
    if (!data.changed)
      return { data, text: `${installer.label} is already wired in ${change.file}; nothing was changed.` };
    const diff = await showDiff(change);
    if (data.dryRun) return { data: { ...data, diff }, text: `${diff}\nDry run: nothing was changed.` };
    const backup = applyInstall(change, installer, home, wiring, input.now());
    const kept =
      backup === undefined
        ? change.before === undefined
          ? "There was no file before."
          : ""
        : `The file as it was: ${backup}`;
    const lines = [
      diff,
      `${installer.label} is wired in ${change.file}. ${kept}`,
      'Try it: start a session, then run "continuo status".',
    ];
    if (wiring.script.includes("_npx")) {
      lines.push(
        "Note: this copy lives in npx's cache, which npm may empty. For good: npm install -g continuo, then install again.",
      );
    }
    return { data: { ...data, diff, backup: backup ?? null }, text: lines.join("\n") };
  },
};
