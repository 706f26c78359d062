import { recordFailure } from "../shared/follow.ts";
import type { Pi, PiContext, PiEvent } from "./api.ts";
import { claim, release } from "./claim.ts";
import type { PiParts } from "./teller.ts";
import { createThread, type Thread } from "./thread.ts";

/** pi's events, each with what it means to us. Events that a version does not have are never fired. */
export function wire(pi: Pi, parts: PiParts): void {
  const { env, now } = parts;
  const on = (name: string, handle: (thread: Thread, event: PiEvent, ctx: PiContext) => unknown) =>
    pi.on(name, async (event, ctx) => {
      try {
        return claim(ctx.sessionManager, thread) ? await handle(thread, event, ctx) : undefined;
      } catch (error) {
        recordFailure(env, `pi ${name}`, error, now()); // the host goes on as if we were not there
        return undefined;
      }
    });
  const thread = createThread(pi, parts);

  on("before_agent_start", (one, event, ctx) => one.prompt(event, ctx));
  on("input", (one, event, ctx) => one.steering(event, ctx));
  on("context", (one, event, ctx) => one.context(event, ctx));
  on("tool_call", (one, event, ctx) => one.guard(event, ctx));
  on("tool_result", (one, event, ctx) => one.tool(event, ctx));
  on("session_before_compact", (one, event, ctx) => one.compacting(event, ctx));
  on("session_compact", (one, event, ctx) => one.compacted(event, ctx));
  on("agent_start", (one) => one.busy());
  // The newer event comes once after all retries; 0.73.1 has only the other. The first one of a run counts.
  on("agent_end", (one, _event, ctx) => one.idle(ctx));
  on("agent_settled", (one, _event, ctx) => one.idle(ctx));
  on("session_shutdown", (one, event, ctx) => {
    const { sessionManager } = ctx;
    return one.end(event, ctx).finally(() => release(sessionManager, one));
  });

  // Not while pi loads us: two extensions with a tool of one name keep it from starting. RPC mode fires this twice.
  let offered = false;
  on("session_start", (one, _event, ctx) => {
    if (offered) return;
    offered = true;
    one.offer(ctx);
  });
}
