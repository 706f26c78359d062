import type { OfferPlace, OfferRunner } from "../shared/in-process/offers.ts";
import type { Pi, PiCompletions, PiContext } from "./api.ts";
import { CUSTOM_TYPE } from "./conversation.ts";

/** What pi's user sees of Continuo at the prompt: commands, completions and the status line. */
interface PromptLine {
  /** Call it once per session. Modes without a screen have none of this, or accept it and do nothing. */
  set(ctx: PiContext, place: OfferPlace): void;
  /** Never awaited and never throws, because nothing depends on the status line. */
  refresh(place: OfferPlace): void;
  /** False if there is no screen. */
  tell(text: string, type: "info" | "warning"): boolean;
}

export function createPromptLine(
  pi: Pi,
  runner: OfferRunner,
  placeOf: (ctx: PiContext) => OfferPlace,
): PromptLine {
  let ui: PiContext["ui"] | undefined;
  let calls = 0;

  async function refresh(place: OfferPlace): Promise<void> {
    const mine = ++calls;
    const text = await runner.status(place);
    if (mine !== calls) return; // a newer call is in progress
    try {
      ui?.setStatus?.(CUSTOM_TYPE, text === "" ? undefined : `continuo: ${text}`);
    } catch {
      ui = undefined; // the session was replaced meanwhile, so the screen belongs to another session
    }
  }

  return {
    set(ctx, place) {
      if (ctx.hasUI === true) ui = ctx.ui;
      for (const { name, description, whenIdle, complete, run } of runner.commands) {
        pi.registerCommand(name, {
          description,
          getArgumentCompletions: async (argument) => {
            const items = await complete(argument, place);
            return items.length === 0 ? null : [...items];
          },
          handler: async (argument, now) => {
            const { ui: screen } = now;
            if (whenIdle) await now.waitForIdle?.();
            const here = placeOf(now);
            const { ok, text } = await run(argument, here, () => void refresh(here));
            screen.notify(text, ok ? "info" : "warning");
          },
        });
      }
      ui?.addAutocompleteProvider?.((current) => completions(current, runner, place));
    },
    tell(text, type) {
      try {
        ui?.notify(text, type);
      } catch {
        ui = undefined; // pi has replaced the session, so its old screen accepts nothing more
      }
      return ui !== undefined;
    },
    refresh: (place) => {
      if (ui?.setStatus !== undefined) void refresh(place);
    },
  };
}

function completions(current: PiCompletions, runner: OfferRunner, place: OfferPlace): PiCompletions {
  return {
    triggerCharacters: [...new Set([...(current.triggerCharacters ?? []), ...runner.triggers])],
    async getSuggestions(lines, line, column, options) {
      const before = (lines[line] ?? "").slice(0, column);
      const found = await runner.complete(before, place);
      if (found === undefined) return current.getSuggestions(lines, line, column, options);
      return { prefix: found.replaces, items: found.items };
    },
    applyCompletion: (...given) => current.applyCompletion(...given),
    shouldTriggerFileCompletion: (...given) => current.shouldTriggerFileCompletion?.(...given) ?? true,
  };
}
