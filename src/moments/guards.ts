import { ContinuoError } from "../base/errors.ts";
import type { MomentRun } from "./moment-run.ts";
import type { Verdict } from "./ports/source.ts";
import type { ToolMoment } from "./types.ts";

const SEVERITY = { ask: 1, deny: 2 } as const;

export function stricter(a: Verdict | undefined, b: Verdict | undefined): Verdict | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return SEVERITY[b.action] > SEVERITY[a.action] ? b : a;
}

/** The strictest verdict of all sources with a guard. A guard that fails is recorded and does not stop the tool. */
export async function askGuards(run: MomentRun, moment: ToolMoment): Promise<Verdict | undefined> {
  const { options } = run;
  let strictest: Verdict | undefined;
  for (const source of options.sources) {
    if (source.guard === undefined || options.config.sources[source.name]?.enabled === false) continue;
    try {
      const verdict = await source.guard(moment, {
        settings: options.config.sources[source.name] ?? {},
        env: options.env,
        home: options.home.root,
        isGuardOff: (key, isUsers) => run.mutedFor(moment)?.isGuardOff(key, isUsers) === true,
        report: (code, message, hint) =>
          options.onFailure(
            `${source.name} guard`,
            new ContinuoError(code, message, hint === undefined ? {} : { hint }),
          ),
      });
      strictest = stricter(strictest, verdict);
    } catch (error) {
      options.onFailure(`${source.name} guard`, error);
    }
  }
  if (strictest === undefined) return undefined; // the usual case: no state is read
  const state = run.stateOf(moment).read();
  if (state !== undefined) {
    run.recordInLedger(moment, state, {
      kind: "guarded",
      action: strictest.action,
      tool: moment.tool.name,
      why: strictest.message,
    });
  }
  return strictest;
}
