import { createBase } from "../shared/in-process/base.ts";
import { claim, release } from "../shared/in-process/copies.ts";
import type { Pi, PiContext, PiEvent } from "./api.ts";
import { createServices } from "./services.ts";
import { createSessionAdapter, type PiParts, type SessionAdapter } from "./session-adapter.ts";

/** Connects pi's events to the functions that answer them. Events that a version lacks never fire. */
export function wire(pi: Pi, parts: PiParts): void {
  const services = createServices(pi, parts);
  const base = createBase("pi", parts, {
    reviewCommand: "/continuo-review",
    canRefuseStop: true,
    onHostNote: services.notes.keep,
    onNotice: (lines) => adapter.show(lines),
  });
  const adapter: SessionAdapter = createSessionAdapter(pi, parts, base, services);
  const on = (name: string, handle: (adapter: SessionAdapter, event: PiEvent, ctx: PiContext) => unknown) =>
    pi.on(name, (event, ctx) =>
      base.quietly(name, () =>
        claim(ctx.sessionManager, adapter) ? handle(adapter, event, ctx) : undefined,
      ),
    );

  on("before_agent_start", (one, event, ctx) => one.prompt(event, ctx));
  // In versions that return something here (0.86.0), a message can be added at the end of a turn without a request of
  // its own (0.84.4).
  const appends: boolean =
    typeof on("input", (one, event, ctx) => one.steering(event, ctx, appends)) === "function";
  on("context", (one, event, ctx) => one.context(event, ctx));
  on("tool_call", (one, event, ctx) => one.guard(event, ctx));
  on("tool_result", (one, event, ctx) => one.tool(event, ctx));
  on("session_before_compact", (one, event, ctx) => one.compacting(event, ctx));
  on("session_compact", (one, event, ctx) => one.compacted(event, ctx));
  on("agent_start", (one) => one.busy());
  // The newer event comes once, after all retries; 0.73.1 has only the older one. The first one of a run counts.
  on("agent_end", (one, event, ctx) => one.idle(event, ctx));
  on("agent_settled", (one, event, ctx) => one.idle(event, ctx));
  on("session_shutdown", (one, event, ctx) => {
    const { sessionManager } = ctx;
    return one.end(event, ctx).finally(() => release(sessionManager, one));
  });

  // Not while pi loads the extension, because pi does not start with two tools of the same name. RPC mode fires this
  // twice.
  let isOffered = false;
  on("session_start", (one, _event, ctx) => {
    if (isOffered) return undefined;
    isOffered = true;
    return one.offer(ctx);
  });
}
