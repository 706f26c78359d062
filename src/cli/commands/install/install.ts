import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import type { Installer, Wiring } from "../../../hosts/port/installer.ts";
import {
  applyInstall,
  applyUninstall,
  isChange,
  planInstall,
  planUninstall,
} from "../../../hosts/shared/install/wire.ts";
import { momentLimit } from "../../../hosts/shared/time-limits.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { MomentName } from "../../../moments/types.ts";
import { loadConfig } from "../../../store/config.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Command, World } from "../../command.ts";
import { showDiff } from "../../terminal/diff.ts";
import { askVersion } from "./host-program.ts";

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

export async function findInstaller(
  world: World,
  name: string | undefined,
  command: string,
): Promise<Installer> {
  const found = (await world.installers()).find((installer) => installer.host === name);
  if (found !== undefined) return found;
  const near = name === undefined ? undefined : nearest(name, HOST_NAMES);
  throw new ContinuoError("usage", name === undefined ? "which host?" : `there is no host "${name}"`, {
    hint: `try: continuo ${command} ${near ?? HOST_NAMES.join(" | ")}`,
  });
}

/** The runtime that runs us now is the one that the host is told to use. */
export async function wiringOf(
  world: World,
  home: Home | undefined,
  hostVersion: string | undefined,
): Promise<Wiring> {
  const sources = await world.sources();
  return {
    runtime: process.execPath,
    script: join(world.packageRoot, "dist", "continuo.cjs"),
    answered: new Set(sources.flatMap((source) => Object.keys(source.answers) as MomentName[])),
    ...(home === undefined ? {} : { momentLimitMs: limitIn(home, world, sources) }),
    guards: home !== undefined && mayGuard(home),
    ...(hostVersion === undefined ? {} : { hostVersion }),
  };
}

/** While it cannot be known whether a project is trusted, hosts go on asking. */
function mayGuard(home: Home): boolean {
  const { projects, damage } = readTrust(home);
  return projects.length > 0 || damage !== undefined;
}

function limitIn(home: Home, world: World, sources: readonly Source[]): number {
  return momentLimit(loadConfig(home.config, sources, world.env).config, sources);
}
