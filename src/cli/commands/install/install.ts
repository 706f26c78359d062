import { HOST_NAMES } from "../../../hosts/names.ts";
import { applyInstall, isChange, planInstall } from "../../../hosts/shared/install/wire.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { showDiff } from "../../terminal/diff.ts";
import { askVersion } from "./host-program.ts";
import { findInstaller, wiringOf } from "./wiring.ts";

export const install: Command = {
  name: "install",
  summary: "wire Continuo into a host; shows the diff, keeps a backup",
  usage: "install HOST [--no-mcp] [--dry-run]",
  options: { "dry-run": { type: "boolean" }, "no-mcp": { type: "boolean" } },
  words: HOST_NAMES,
  async run(input) {
    const installer = await findInstaller(input, input.positionals[0], "install");
    const home = findHome(input.env);
    const wiring = await wiringOf(input, home, askVersion(installer.versionCommand, input.env, input.cwd));
    const changes = planInstall(installer, input.env, wiring, { mcp: input.values["no-mcp"] !== true });
    const made = changes.filter(isChange);
    const dryRun = input.values["dry-run"] === true;
    const data = { host: installer.host, changed: made.length > 0, dryRun };
    const named = (list: readonly { file: string }[]) => list.map(({ file }) => file).join(" and ");
    if (made.length === 0) {
      const text = `${installer.label} is already wired in ${named(changes)}; nothing was changed.`;
      return { data: { ...data, files: [] }, text };
    }
    const diffs = await Promise.all(made.map(showDiff));
    const files = made.map(({ file }, i) => ({ file, diff: diffs[i] }));
    if (dryRun)
      return { data: { ...data, files }, text: [...diffs, "Dry run: nothing was changed."].join("\n") };
    const backups = applyInstall(changes, installer, home, wiring, input.now());
    const lines = [
      ...diffs,
      `${installer.label} is wired in ${named(made)}.`,
      ...made.map(({ file, before }) => {
        const backup = backups.get(file);
        if (backup !== undefined) return `${file} as it was: ${backup}`;
        return before === undefined ? `${file} was not there before.` : "";
      }),
      'Try it: start a session, then run "continuo status".',
    ];
    if (wiring.script.includes("_npx")) {
      lines.push(
        "Note: this copy lives in npx's cache, which npm may empty. For good: npm install -g continuo, then install again.",
      );
    }
    return {
      data: {
        ...data,
        files: files.map((one) => ({ ...one, backup: backups.get(one.file) ?? null })),
      },
      text: lines.filter((line) => line !== "").join("\n"),
    };
  },
};
