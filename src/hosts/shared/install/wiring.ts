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
}

/** The host will run Continuo with the runtime that runs this process. */
export function wiringFor({ sources, packageRoot, env, home, hostVersion }: WiringFacts): Wiring {
  return {
    runtime: process.execPath,
    script: join(packageRoot, "dist", "continuo.cjs"),
    answered: new Set(sources.flatMap((source) => Object.keys(source.answers) as MomentName[])),
    ...(home === undefined
      ? {}
      : { momentLimitMs: momentLimit(loadConfig(home.config, sources, env).config, sources) }),
    guards: home !== undefined && mayGuard(home),
    ...(hostVersion === undefined ? {} : { hostVersion }),
  };
}

/** Hosts keep asking for verdicts while trust.json is damaged: some project may be trusted. */
function mayGuard(home: Home): boolean {
  const { projects, damage } = readTrust(home);
  return projects.length > 0 || damage !== undefined;
}
