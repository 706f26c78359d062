import type { Counter, Seat } from "../shared/in-process/offers.ts";
import type { Pi, PiCompletions, PiContext } from "./api.ts";
import { OURS } from "./conversation.ts";

/** What pi's user sees of us at the prompt: commands, completions and the status line. */
export interface PromptLine {
  /** Once per session. Modes without a screen have none of it, or take it and do nothing. */
  set(ctx: PiContext, seat: Seat): void;
  /** Never awaited and never throws: nothing depends on what the line says. */
  refresh(seat: Seat): void;
  /** False where there is no screen. */
  warn(text: string): boolean;
}

export function createPromptLine(pi: Pi, counter: Counter, seatOf: (ctx: PiContext) => Seat): PromptLine {
  let ui: PiContext["ui"] | undefined;
  let asked = 0;

  async function refresh(seat: Seat): Promise<void> {
    const mine = ++asked;
    const text = await counter.status(seat);
    if (mine !== asked) return; // a newer question is on its way
    try {
      ui?.setStatus?.(OURS, text === "" ? undefined : `continuo: ${text}`);
    } catch {
      ui = undefined; // the session was replaced in the meantime, and its screen is another's
    }
  }

  return {
    set(ctx, seat) {
      if (ctx.hasUI === true) ui = ctx.ui;
      for (const { name, description, afterRest, complete, run } of counter.commands) {
        pi.registerCommand(name, {
          description,
          getArgumentCompletions: async (argument) => {
            const items = await complete(argument, seat);
            return items.length === 0 ? null : [...items];
          },
          handler: async (argument, now) => {
            const { ui: screen } = now;
            if (afterRest) await now.waitForIdle?.();
            const here = seatOf(now);
            const { ok, text } = await run(argument, here, () => void refresh(here));
            screen.notify(text, ok ? "info" : "warning");
          },
        });
      }
      ui?.addAutocompleteProvider?.((current) => completions(current, counter, seat));
    },
    warn(text) {
      try {
        ui?.notify(`Continuo: ${text}`, "warning");
      } catch {
        ui = undefined;
      }
      return ui !== undefined;
    },
    refresh: (seat) => {
      if (ui?.setStatus !== undefined) void refresh(seat);
    },
  };
}

function completions(current: PiCompletions, counter: Counter, seat: Seat): PiCompletions {
  return {
    triggerCharacters: [...new Set([...(current.triggerCharacters ?? []), ...counter.triggers])],
    async getSuggestions(lines, line, column, options) {
      const before = (lines[line] ?? "").slice(0, column);
      const found = await counter.complete(before, seat);
      if (found === undefined) return current.getSuggestions(lines, line, column, options);
      return { prefix: found.replaces, items: found.items };
    },
    applyCompletion: (...given) => current.applyCompletion(...given),
    shouldTriggerFileCompletion: (...given) => current.shouldTriggerFileCompletion?.(...given) ?? true,
  };
}
