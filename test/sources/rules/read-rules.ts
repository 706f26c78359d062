import { type CatalogPlace, readCatalog } from "../../../src/sources/rules/catalog/catalog.ts";
import { HOOK_LIMITS, type RuleLimits } from "../../../src/sources/rules/files/limits.ts";
import type { temporaryWorld } from "../../support/world.ts";

export type World = ReturnType<typeof temporaryWorld>;

/** Reads the catalog of a world. By default at a time when no file is young any more. */
export function readRules({ root, home, env }: World, more: Partial<CatalogPlace> = {}) {
  return readCatalog({
    root,
    home: home.root,
    env,
    settings: {},
    host: "cli",
    readOnly: false,
    now: Date.now() + 60_000,
    ...more,
  });
}

/** The same with some limits changed, and with a clock that stands still unless the test passes another. */
export function readWithLimits(
  world: World,
  limits: Partial<RuleLimits> = {},
  clock = () => 0,
  readOnly = false,
) {
  return readRules(world, { limits: { ...HOOK_LIMITS, ...limits }, clock, readOnly });
}

export const names = ({ rules }: Awaited<ReturnType<typeof readRules>>) => rules.map(({ file }) => file.name);
