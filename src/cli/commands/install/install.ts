import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/text.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import type { Installer } from "../../../hosts/port/installer.ts";
import { isChange } from "../../../hosts/shared/install/wire.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, World } from "../../command.ts";
import { aboutHidden, showDiff } from "../../terminal/diff.ts";
import { planRemoval, planSetUp } from "./plan.ts";

export const install: Command = {
  name: "install",
  summary: "set up Continuo in a host; shows the diff and keeps a backup",
  usage: "install HOST [--no-mcp] [--dry-run]",
  options: {
    "dry-run": { type: "boolean", help: "show the changes without making them" },
    "no-mcp": { type: "boolean", help: "do not add the MCP server" },
    statusline: { type: "boolean", help: "also show Continuo in the status line (claude-code)" },
  },
  words: HOST_NAMES,
  async run(input) {
    const installer = await findInstaller(input, input.positionals[0], "install");
    const home = findHome(input.env);
    const statusLine = input.values["statusline"] === true;
    if (statusLine && installer.statusLine === undefined) throw noStatusLine(installer);
    const mcp = input.values["no-mcp"] !== true;
    const planned = await planSetUp(input, installer, home, { mcp, statusLine });
    const { changes, wiring } = planned;
    const made = changes.filter(isChange);
    const dryRun = input.values["dry-run"] === true;
    const backups = dryRun ? undefined : planned.apply(input.now());
    const data = { host: installer.host, changed: made.length > 0, dryRun };
    const named = (list: readonly { file: string }[]) => list.map(({ file }) => file).join(" and ");
    if (made.length === 0) {
      const text = `${installer.label} is already set up (${named(changes)}). Nothing was changed.`;
      return { data: { ...data, files: [] }, text };
    }
    const diffs = await Promise.all(made.map(showDiff));
    const files = made.map(({ file }, i) => ({ file, diff: diffs[i] }));
    const shown = [...diffs, aboutHidden(diffs.join("\n")) ?? ""].filter((part) => part !== "");
    if (backups === undefined)
      return { data: { ...data, files }, text: [...shown, "Dry run: nothing was changed."].join("\n") };
    const lines = [
      ...shown,
      `${installer.label} is set up (${named(made)}).`,
      ...made.map(({ file, before }) => {
        const backup = backups.get(file);
        if (backup !== undefined) return `Backup: ${backup}`;
        return before === undefined ? `New file: ${file}` : "";
      }),
      'Next: start a session, then run "continuo status".',
    ];
    if (wiring.script.includes("_npx")) {
      lines.push(
        "Note: this copy is in the npx cache, which npm may empty. Permanent setup: npm install -g continuo, then run this again.",
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

export const uninstall: Command = {
  name: "uninstall",
  summary: "remove Continuo from a host; your data is kept",
  usage: "uninstall HOST [--dry-run]",
  options: { "dry-run": { type: "boolean", help: "show the changes without making them" } },
  words: HOST_NAMES,
  async run(input) {
    const installer = await findInstaller(input, input.positionals[0], "uninstall");
    const home = findHome(input.env);
    const planned = planRemoval(input, installer, home);
    const { changes } = planned;
    const made = changes.filter(isChange);
    const dryRun = input.values["dry-run"] === true;
    if (!dryRun) planned.apply(input.now());
    const data = { host: installer.host, changed: made.length > 0, dryRun };
    if (made.length === 0) {
      const looked = changes.map(({ file }) => file).join(" or ");
      const text = `Continuo is not installed in ${looked}. Nothing was changed.`;
      return { data: { ...data, files: [] }, text };
    }
    const diffs = await Promise.all(made.map(showDiff));
    const files = made.map(({ file }, i) => ({ file, diff: diffs[i] }));
    const shown = [...diffs, aboutHidden(diffs.join("\n")) ?? ""].filter((part) => part !== "");
    if (dryRun)
      return { data: { ...data, files }, text: [...shown, "Dry run: nothing was changed."].join("\n") };
    const last = `Continuo is removed from ${installer.label}. Your data is kept in ${home.root}.`;
    return { data: { ...data, files }, text: [...shown, last].join("\n") };
  },
};

export async function findInstaller(
  world: Pick<World, "installers">,
  name: string | undefined,
  command: string,
): Promise<Installer> {
  const found = (await world.installers()).find((installer) => installer.host === name);
  if (found !== undefined) return found;
  const near = name === undefined ? undefined : nearest(name, HOST_NAMES);
  throw new ContinuoError("usage", name === undefined ? "HOST is missing" : `unknown host "${name}"`, {
    hint: `try: continuo ${command} ${near ?? HOST_NAMES.join(" | ")}`,
  });
}

function noStatusLine({ label, host }: Installer): ContinuoError {
  return new ContinuoError("usage", `${label} has no status line that a command can fill`, {
    hint: `without --statusline: continuo install ${host}`,
  });
}
