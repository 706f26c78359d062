import { describeError } from "../../../base/errors.ts";
import { type Installer, partsOf } from "../../../hosts/port/installer.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { programOf } from "../../../setup/host-program.ts";
import { asOne, currentWiring, inspectParts, isHere } from "../../../setup/inspect.ts";
import type { HostRow } from "../../api/connect.ts";
import type { Web } from "../web.ts";

/** One row per host: whether it is installed, and what its settings say about Continuo. Runs no program. */
export async function hostRows(web: Web): Promise<HostRow[]> {
  const rows: HostRow[] = [];
  for (const installer of await web.installers()) rows.push(await hostRow(installer, web));
  return rows;
}

async function hostRow(installer: Installer, web: Web): Promise<HostRow> {
  const { host, label } = installer;
  const program = programOf(installer.versionCommand, web.env, web.cwd);
  const about = { host, label, program };
  try {
    const files = [
      ...new Set(partsOf(installer).map((part) => shortPath(part.settingsFile(web.env), web.env))),
    ];
    if (!isHere(installer, web.env))
      return program === undefined
        ? { ...about, state: "absent", detail: "not found on this machine", mend: "", files }
        : { ...about, state: "off", detail: "not connected", mend: "", files };
    const wiring = await currentWiring(installer, web, web.home);
    const [main, ...others] = [...inspectParts(installer, web.env, wiring)];
    const isWired = main !== undefined && (main.probes.length > 0 || main.seen[0]?.status === "ok");
    if (!isWired)
      return main?.seen.some(({ status }) => status === "fail")
        ? { ...about, state: "problem", ...textsOf(asOne(main.seen)), files }
        : { ...about, state: "off", detail: "not connected", mend: "", files };
    const all = asOne([...main.seen, ...others.flatMap(({ seen }) => seen)]);
    return { ...about, state: all.status === "fail" ? "problem" : "connected", ...textsOf(all), files };
  } catch (error) {
    const { message, hint = "" } = describeError(error);
    return { ...about, state: "problem", detail: message, mend: hint, files: [] };
  }
}

function textsOf({ detail, mend }: { readonly detail: string; readonly mend: string }) {
  return { detail, mend };
}
