import type { ActionGroup } from "../../../moments/ports/action.ts";
import { diff, repair, undo } from "./history.ts";
import { forget, learn, refresh, stale } from "./learnings.ts";
import { accept, proposals, reject } from "./proposals.ts";
import { allow, rejected } from "./rejected.ts";
import { setup } from "./setup.ts";
import { show, status } from "./show.ts";

/** The actions on the profile. */
export const SEED_GROUP = {
  name: "seed",
  about: "your profile: what you let Continuo learn about you",
  section: "rules",
  guide:
    "Your profile is one file, `~/.pai/seed.json`: your name, how agents should answer, and learnings: sentences that you accepted in continuo review or added yourself. Agents get them at the start of a session. Other programs that use this file call it the seed.",
  examples: [
    ["continuo seed show", "show your profile with all learnings"],
    ["continuo seed learn pattern Use pnpm, never npm.", "add a learning yourself"],
  ],
  actions: [
    status,
    show,
    setup,
    proposals,
    accept,
    reject,
    rejected,
    allow,
    undo,
    learn,
    forget,
    stale,
    refresh,
    diff,
    repair,
  ],
} satisfies ActionGroup;
