import { loadHistory } from "../src/hosts/index.ts";
import { createEngine, type Engine } from "../src/moments/engine.ts";
import { SOURCES } from "../src/sources/index.ts";
import { loadConfig } from "../src/store/config.ts";
import type { Home } from "../src/store/home.ts";

/** The engine as a host inside this process would have it. Trouble ends the benchmark: a failing run is no figure. */
export function benchEngine(home: Home): Engine {
  const config = {
    ...loadConfig(home.config, SOURCES, {}).config,
    sourceDeadlineMs: 60_000,
    momentDeadlineMs: 60_000,
  };
  const onTrouble = (_: string, error: unknown) => {
    throw error;
  };
  return createEngine({ sources: SOURCES, config, home, history: loadHistory, env: {}, onTrouble });
}
