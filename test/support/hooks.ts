import { HOOK_HOSTS, loadHistory } from "../../src/hosts/index.ts";
import { runHook } from "../../src/hosts/shared/hook/run-hook.ts";
import type { Source } from "../../src/moments/ports/source.ts";
import { CONTINUO, type Finished, runScript } from "./child.ts";
import { runInProcess } from "./in-process.ts";

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of session `s1` in the place's project, unless the payload says otherwise. A text is sent as it is. */
type HookCall = [place: Place, event: string, payload?: object | string | Uint8Array, host?: string];

function commandOf(...[{ root, env }, event, payload = {}, host = "claude-code"]: HookCall) {
  const isRaw = typeof payload === "string" || payload instanceof Uint8Array;
  const stdin = isRaw ? payload : JSON.stringify({ session_id: "s1", cwd: root, ...payload });
  return { args: ["hook", host, ...event.split(" ")], options: { env, cwd: root, stdin } };
}

export function hookIn(...call: HookCall): Promise<Finished> {
  const { args, options } = commandOf(...call);
  return runInProcess(args, options);
}

/** In a process of its own, as hosts run it: for what processes do, or if nothing may be kept in memory. */
export function hookProcess(...call: HookCall): Promise<Finished> {
  const { args, options } = commandOf(...call);
  return runScript(CONTINUO, args, options);
}

/** What a hook prints that has these sources only. */
export function hookWith(
  sources: readonly Source[],
  { root, env }: Place,
  host: string,
  event: string,
  payload: object,
  more: Partial<Parameters<typeof runHook>[0]> = {},
): Promise<string> {
  const place = { host, event, env, cwd: root, now: Date.now, hosts: HOOK_HOSTS, history: loadHistory };
  return runHook({ ...place, sources, readPayload: async () => ({ ...payload }), ...more });
}

/** What doctor says, as a user would ask. */
export async function doctorIn({ root, env }: Place) {
  const { stdout } = await runInProcess(["doctor", "--json"], { env, cwd: root });
  return JSON.parse(stdout).data.findings as { what: string; status: string; detail: string }[];
}

export async function failuresIn(place: Place): Promise<string[]> {
  return (await doctorIn(place)).flatMap(({ what, detail }) => (what === "failure" ? [detail] : []));
}
