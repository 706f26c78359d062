import { copyFileSync, existsSync, renameSync, statSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { ago } from "../../../base/when.ts";
import { loadConfig, readRaw } from "../../../store/config.ts";
import { configBackup } from "../../../store/config-backup.ts";
import type { Home } from "../../../store/home.ts";
import { type Check, fail, type NamedFinding, ok } from "./check.ts";

export const checkConfig: Check = async (world, home) => {
  if (home === undefined) return [];
  const { problems } = loadConfig(home.config, await world.sources(), world.env);
  if (problems.length === 0)
    return [ok("config", existsSync(home.config) ? home.config : "defaults (no config.json)")];
  // Of a file that cannot be read, this is the only problem.
  const isUnreadable = problems.some(({ key }) => key === home.config);
  return problems.map(({ message, hint }) => {
    const finding = fail("config", message, hint);
    return isUnreadable ? withBackup(finding, home, world.now()) : finding;
  });
};

/** The file is the user's own text, so its backup takes its place only if they say so. */
function withBackup(finding: NamedFinding, home: Home, now: number): NamedFinding {
  const backup = configBackup(home);
  if (!isUsable(backup)) return finding;
  const when = ago(statSync(backup).mtimeMs, now);
  return {
    ...finding,
    mend: `${finding.mend}. To restore its backup (${when}): continuo doctor --fix`,
    fix: {
      question: `config.json cannot be read. Put its backup (${when}) in its place? The damaged file is kept.`,
      run: () => restore(home, backup, now),
    },
  };
}

function isUsable(backup: string): boolean {
  return existsSync(backup) && readRaw(backup).problems.length === 0;
}

function restore(home: Home, backup: string, now: number): string {
  const aside = `${home.config}.damaged-${now}`;
  renameSync(home.config, aside);
  try {
    copyFileSync(backup, home.config);
  } catch (error) {
    renameSync(aside, home.config);
    throw new Error(`the backup could not be copied: ${describeError(error).message}`, { cause: error });
  }
  return `restored config.json from its backup; the damaged file is ${aside}`;
}
