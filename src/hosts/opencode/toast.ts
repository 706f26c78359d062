import { pendingNote } from "../../store/health-note.ts";
import { findHome } from "../../store/home.ts";
import { recordFailure } from "../shared/follow.ts";
import type { ConductorOptions } from "./conductor.ts";

/**
 * Shows in the TUI what the next snapshot would tell the model: that something failed unseen. Once in a process, since
 * what fails once often fails at every turn; and nobody waits for it.
 */
export function createToast({ client, env, now }: ConductorOptions): () => void {
  let isShown = false;
  return () => {
    if (isShown) return;
    const show = async () => {
      const message = pendingNote(findHome(env));
      if (message === undefined) return;
      isShown = true;
      await client.tui.showToast({ body: { title: "Continuo", message, variant: "warning" } });
    };
    show().catch((error: unknown) => recordFailure(env, "opencode toast", error, now()));
  };
}
