import { ContinuoError } from "../../base/errors.ts";
import { once } from "../../base/once.ts";
import type { Guarded, Verdict } from "../ports/source.ts";
import { stricter } from "../run/gather.ts";
import type { MomentRun } from "../run/moment-run.ts";
import type { SessionState } from "../state/session-state.ts";
import type { ToolMoment } from "../types.ts";

/** The strictest verdict of all sources with a guard. A failing guard is recorded and does not stop the tool. */
export async function askGuards(run: MomentRun, moment: ToolMoment): Promise<Verdict | undefined> {
  const state = once(() => run.stateOf(moment).read());
  const given: { readonly source: string; readonly guarded: Guarded }[] = [];
  for (const source of run.sources) {
    if (source.guard === undefined || run.config.sources[source.name]?.enabled === false) continue;
    try {
      const guarded = await source.guard(moment, {
        settings: run.config.sources[source.name] ?? {},
        env: run.env,
        home: run.home.root,
        memo: () => state()?.memos[source.name],
        isGuardOff: (key, isUsers) => run.mutedFor(moment)?.isGuardOff(key, isUsers) === true,
        report: (code, message, hint) =>
          run.onFailure(`${source.name} guard`, new ContinuoError(code, message, { hint })),
      });
      if (guarded !== undefined) given.push({ source: source.name, guarded });
    } catch (error) {
      run.onFailure(`${source.name} guard`, error);
    }
  }
  if (given.length === 0) return undefined; // the usual case: no state is read
  await record(run, moment, state(), given);
  return given
    .map(({ guarded: { action, message } }): Verdict => ({ action, message }))
    .reduce<Verdict | undefined>(stricter, undefined);
}

/** A failure here must not keep the verdict from the host. */
async function record(
  run: MomentRun,
  moment: ToolMoment,
  state: SessionState | undefined,
  given: readonly { readonly source: string; readonly guarded: Guarded }[],
): Promise<void> {
  if (state === undefined) return;
  for (const entry of given.flatMap(({ guarded }) => guarded.ledgerEntries ?? []))
    run.recordInLedger(moment, state, entry);
  const changes = given.flatMap(({ source, guarded: { remember } }) =>
    remember === undefined ? [] : [{ source, remember }],
  );
  if (changes.length === 0) return;
  try {
    await run.stateOf(moment).update((before) => {
      if (before === undefined) return before;
      const memos: Record<string, unknown> = { ...before.memos };
      for (const { source, remember } of changes) memos[source] = remember(memos[source]);
      return { ...before, memos };
    });
  } catch (error) {
    run.onFailure("guard", error);
  }
}
