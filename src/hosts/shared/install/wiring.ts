import { join } from "node:path";
import type { Source } from "../../../moments/ports/source.ts";
import type { MomentName } from "../../../moments/types.ts";
import { loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Wiring } from "../../port/installer.ts";
import { momentLimit } from "../time-limits.ts";

interface WiringFacts {
  readonly sources: readonly Source[];
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly home: Home | undefined;
  readonly hostVersion: string | undefined;
  /** Whether there is a reason for guards (`whyGuards`). Not needed if only the form of existing hooks changes. */
  readonly guards?: boolean;
}

/** The wiring for the runtime that runs this process. */
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
    hostVersion,
  };
}

/** Why a tool call may be refused. */
export type GuardReason =
  /** One of the user's own rules, which applies in every project. */
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "trusted" }
  /** trust.json is damaged, so a project may be trusted: hosts keep asking for verdicts. */
  | { readonly kind: "damaged" };

/** undefined if no tool call can be refused: then hosts need not ask before each. `host`: only reasons in this host. */
export async function whyGuards(
  { sources, env, home }: Pick<WiringFacts, "sources" | "env" | "home">,
  host = "",
): Promise<GuardReason | undefined> {
  if (home === undefined) return undefined;
  const { projects, damage } = readTrust(home);
  if (projects.length > 0) return { kind: "trusted" };
  if (damage !== undefined) return { kind: "damaged" };
  const { config } = loadConfig(home.config, sources, env);
  for (const { name, guardsEverywhere } of sources) {
    const settings = config.sources[name];
    if (settings?.enabled === false) continue;
    const rule = await guardsEverywhere?.({ settings: settings ?? {}, env, home: home.root, host });
    if (rule !== undefined) return { kind: "rule", name: rule };
  }
  return undefined;
}
