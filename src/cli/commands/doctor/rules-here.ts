import { findProject } from "../../../moments/project.ts";
import type { Project } from "../../../moments/types.ts";
import { type Catalog, readCatalog } from "../../../sources/rules/catalog.ts";
import { PATIENT_LIMITS } from "../../../sources/rules/limits.ts";
import { type Config, loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";

/** The rules of the folder that doctor is called in, as they are now. Nothing is written. */
export async function rulesHere(
  world: World,
  home: Home,
): Promise<{ project: Project; config: Config; catalog: Catalog }> {
  const project = findProject(world.cwd);
  const { config } = loadConfig(home.config, await world.sources(), world.env);
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env: world.env,
    settings: config.sources["rules"] ?? {},
    host: "cli",
    readOnly: true,
    now: world.now(),
    limits: PATIENT_LIMITS,
  });
  return { project, config, catalog };
}
