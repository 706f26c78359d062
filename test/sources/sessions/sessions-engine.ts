import { loadHistory } from "../../../src/hosts/index.ts";
import type { Run } from "../../../src/moments/run/run.ts";
import { sessions } from "../../../src/sources/sessions/ports/source.ts";
import { engineFor } from "../../support/engine.ts";
import { configFor } from "../../support/world.ts";

/** An engine with the sessions source alone. A failure is thrown unless the test collects it. */
export function sessionsEngine(
  { home, env }: Pick<Run, "home" | "env">,
  more: Partial<Run> = {},
  onNotice?: (lines: readonly string[]) => void,
) {
  const run: Run = {
    home,
    env,
    history: loadHistory,
    sources: [sessions],
    config: configFor([sessions]),
    onFailure: (_where, error) => {
      throw error;
    },
    ...more,
  };
  return engineFor(run, onNotice);
}
