import { join } from "node:path";
import type { Source } from "../../../moments/ports/source.ts";
import type { MomentName } from "../../../moments/types.ts";
import { loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Wiring } from "../../port/installer.ts";
import { momentLimit } from "../time-limits.ts";

export interface WiringFacts {
  readonly sources: readonly Source[];
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home | undefined;
  readonly hostVersion: string | undefined;
  /** As `needsGuards` says. Not needed where only the form of hooks changes that are there. */
  readonly guards?: boolean;
}

/** The host will run Continuo with the runtime that runs this process. */
export function wiringFor(facts: WiringFacts): Wiring {
  const { sources, packageRoot, env, home, hostVersion, guards = false } = facts;
  return {
    runtime: process.execPath,
    script: join(packageRoot, "dist", "continuo.cjs"),
    answered: new Set(sources.flatMap((source) => Object.keys(source.answers) as MomentName[])),
    ...(home === undefined
      ? {}
      : { momentLimitMs: momentLimit(loadConfig(home.config, sources, env).config, sources) }),
    guards,
    ...(hostVersion === undefined ? {} : { hostVersion }),
  };
}

/**
 * Whether some tool call may be refused: a project is trusted, or the user's own files ask for it everywhere. Hosts keep
 * asking for verdicts while trust.json is damaged: some project may be trusted.
 */
export async function needsGuards({
  sources,
  env,
  home,
}: Pick<WiringFacts, "sources" | "env" | "home">): Promise<boolean> {
  if (home === undefined) return false;
  const { projects, damage } = readTrust(home);
  if (projects.length > 0 || damage !== undefined) return true;
  const { config } = loadConfig(home.config, sources, env);
  for (const { name, guardsEverywhere } of sources) {
    const settings = config.sources[name];
    if (settings?.enabled === false) continue;
    if (await guardsEverywhere?.({ settings: settings ?? {}, env, home: home.root })) return true;
  }
  return false;
}
