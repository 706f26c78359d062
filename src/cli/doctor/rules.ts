import { findProject } from "../../moments/project.ts";
import { SOURCES } from "../../sources/index.ts";
import { readCatalog } from "../../sources/rules/catalog.ts";
import { loadConfig } from "../../store/config.ts";
import { type Check, ok, warn } from "./check.ts";

/** The rules of the folder that doctor is called in, as they are now; what failed in the past is another check. */
export const checkRules: Check = async (world, home) => {
  if (home === undefined) return [];
  const { config } = loadConfig(home.config, SOURCES, world.env);
  const catalog = await readCatalog({
    root: findProject(world.cwd).root,
    home: home.root,
    env: world.env,
    settings: config.sources["rules"] ?? {},
    host: "cli",
    readOnly: true,
    now: world.now(),
  });
  if (catalog.rejects.length === 0) return [ok("rules", `${catalog.rules.length} understood here`)];
  return catalog.rejects.map(({ message }) =>
    warn("rules", message, "it is inactive until it is mended: continuo rules check"),
  );
};
