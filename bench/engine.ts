import { loadHistory } from "../src/hosts/index.ts";
import { createEngine, type Engine } from "../src/moments/engine/engine.ts";
import { SOURCES } from "../src/sources/index.ts";
import { loadConfig } from "../src/store/config.ts";
import type { Home } from "../src/store/home.ts";

/** The engine as an in-process host has it. A failure ends the benchmark, because the figures of a failing run mean nothing. */
export function benchEngine(home: Home, env: NodeJS.ProcessEnv = {}): Engine {
  const config = {
    ...loadConfig(home.config, SOURCES, {}).config,
    sourceDeadlineMs: 60_000,
    momentDeadlineMs: 60_000,
  };
  const onFailure = (_: string, error: unknown) => {
    throw error;
  };
  return createEngine({ sources: SOURCES, config, home, history: loadHistory, env, onFailure });
}
