import { existsSync } from "node:fs";
import { loadConfig } from "../../../store/config.ts";
import { type Check, fail, ok } from "./check.ts";

export const checkConfig: Check = async (world, home) => {
  if (home === undefined) return [];
  const { problems } = loadConfig(home.config, await world.sources(), world.env);
  if (problems.length === 0)
    return [ok("config", existsSync(home.config) ? home.config : "defaults (there is no config.json)")];
  return problems.map((problem) => fail("config", problem.message, problem.hint));
};
