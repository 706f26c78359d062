import { loadHistory } from "../../../src/hosts/index.ts";
import { createEngine, type Engine, type EngineOptions } from "../../../src/moments/engine/engine.ts";
import { sessions } from "../../../src/sources/sessions/ports/source.ts";
import { configFor } from "../../support/world.ts";

/** An engine with the sessions source alone. A failure is thrown unless the test collects it. */
export function sessionsEngine(
  { home, env }: Pick<EngineOptions, "home" | "env">,
  more: Partial<EngineOptions> = {},
): Engine {
  return createEngine({
    home,
    env,
    history: loadHistory,
    sources: [sessions],
    config: configFor([sessions]),
    onFailure: (_where, error) => {
      throw error;
    },
    ...more,
  });
}
