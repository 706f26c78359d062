import { describeError } from "../../../base/errors.ts";
import type { Finding, Installer } from "../../../hosts/port/installer.ts";
import { readSettingsFile, withoutMark } from "../../../hosts/shared/install/settings-file.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { askVersion } from "../install/host-program.ts";
import { currentWiring, inspectParts, isHere } from "../install/inspect.ts";
import { type Check, fail, type NamedFinding, ok } from "./check.ts";
import { prove } from "./prove.ts";

/** One line for each host: what its settings say, and whether that works when it is run. */
export const checkHosts: Check = async (world, home) => {
  const findings: NamedFinding[] = [];
  // One after the other, so that the measured times are not distorted by each other.
  for (const installer of await world.installers()) findings.push(await checkHost(installer, world, home));
  return findings;
};

async function checkHost(installer: Installer, world: World, home: Home | undefined): Promise<NamedFinding> {
  const what = installer.label;
  try {
    if (!isHere(installer, world.env)) return ok(what, "not installed on this machine");
    const wiring = await currentWiring(installer, world, home);
    const findings: Finding[] = [];
    for (const { seen, probes } of inspectParts(installer, world.env, wiring)) {
      findings.push(...seen);
      if (seen.some(({ status }) => status === "fail")) continue;
      for (const probe of probes) findings.push(await prove(probe, world.env));
    }
    const hooks = withoutMark(readSettingsFile(installer.settingsFile(world.env)) ?? "");
    const version = () => askVersion(installer.versionCommand, world.env, world.cwd);
    findings.push(...((await installer.inspectVersion?.(hooks, wiring, version)) ?? []));
    return { what, ...asOne(findings) };
  } catch (error) {
    const { message, hint } = describeError(error);
    return fail(what, message, hint ?? "");
  }
}

const SEVERITY = { fail: 0, warn: 1, ok: 2 } as const;

/** The most severe first. */
export function asOne(findings: readonly Finding[]): Finding {
  const sorted = findings.toSorted((a, b) => SEVERITY[a.status] - SEVERITY[b.status]);
  return {
    status: sorted[0]?.status ?? "ok",
    detail: sorted.map((finding) => finding.detail).join("; "),
    mend: sorted.find((finding) => finding.mend !== "")?.mend ?? "",
  };
}
