import type { ActionGroup } from "../../../moments/ports/action.ts";
import { ask } from "./ask.ts";
import { index, name } from "./change.ts";
import { describe } from "./describe.ts";
import { forget, remember } from "./forget.ts";
import { list } from "./list.ts";
import { receipt } from "./receipt.ts";
import { resume } from "./resume.ts";
import { search } from "./search.ts";
import { exportSession, handoff, show } from "./show.ts";

/** The actions on past sessions. */
export const SESSIONS = {
  name: "sessions",
  about: "find, show, ask and resume past sessions",
  section: "sessions",
  guide:
    "Continuo reads the sessions that your agents store on this machine: Claude Code, OpenCode, pi, Codex, Copilot CLI and Gemini CLI. It changes none of them. Without a subcommand, it is a picker on a terminal: type a part of a name, a project or an agent, or what was said in a session.",
  examples: [
    ["continuo sessions", "pick a session; without a terminal, list recent ones"],
    ["continuo sessions search retry failed webhooks", "find a session by what was said in it"],
    ["continuo sessions resume last", "continue the newest one in its agent"],
  ],
  actions: [
    list,
    search,
    show,
    ask,
    resume,
    handoff,
    exportSession,
    name,
    forget,
    remember,
    index,
    describe,
    receipt,
  ],
} satisfies ActionGroup;
