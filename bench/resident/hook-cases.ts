import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Home, homeAt } from "../../src/store/home.ts";
import { type Command, type TimedCase, timeProcess } from "../process-time.ts";
import type { Build } from "./builds.ts";
import { promptAbout, type Stores } from "./stores.ts";

/** Where the hooks of one build run. Each build has homes of its own. */
export interface Where {
  readonly build: Build;
  readonly root: string;
  /** The user's home, which has the transcripts. */
  readonly user: string;
}

export function bareNode(root: string): TimedCase {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { name: "bare `node -e 0`", prepare: () => ({ args: ["-e", "0"], env, stdin: "", cwd: root }) };
}

export function hookCommand(
  { build, root, user }: Where,
  home: Pick<Home, "root">,
  event: string,
  session: string,
  more: object = {},
): Command {
  const payload = {
    session_id: session,
    hook_event_name: event,
    cwd: root,
    source: "startup",
    tool_name: "Read",
    tool_input: { file_path: join(root, "src", "parser.ts") },
    ...more,
  };
  const env = { CONTINUO_HOME: home.root, HOME: user, PATH: process.env["PATH"] ?? "" };
  return {
    args: [build.script, "hook", "claude-code", event],
    env,
    stdin: JSON.stringify(payload),
    cwd: root,
  };
}

export const TOPICLESS = "thanks, that looks good";
/** Every round's prompt comes in a session that has started and has not been given notes yet. */
const sessionOf = (round: number) => `old-${round + 3}`;

export function emptyCases(where: Where, stores: Stores): TimedCase[] {
  const empty = homeAt(join(stores.folder, `empty${where.build.label}`));
  const nobody = join(stores.folder, "nobody");
  mkdirSync(nobody, { recursive: true });
  return [
    {
      name: `SessionStart, empty store${where.build.label}`,
      // The very first session on a machine.
      prepare(round) {
        rmSync(empty.root, { recursive: true, force: true });
        return hookCommand({ ...where, user: nobody }, empty, "SessionStart", `new-${round}`);
      },
    },
    {
      name: `SessionStart, empty store, second session${where.build.label}`,
      prepare(round) {
        rmSync(empty.root, { recursive: true, force: true });
        const command = hookCommand({ ...where, user: nobody }, empty, "SessionStart", `new-${round}`);
        for (const event of ["SessionStart", "Stop", "SessionEnd"])
          timeProcess(event, hookCommand({ ...where, user: nobody }, empty, event, `first-${round}`));
        return command;
      },
    },
  ];
}

/** The events of a filled store whose notes are called `kind`. */
export function filledCases(where: Where, home: Home, kind: string): TimedCase[] {
  const named = (name: string) => `${name}, ${kind}${where.build.label}`;
  const prompt = (round: number) =>
    kind === "equal notes"
      ? `look at concept-${(round + 3) % 70} again`
      : promptAbout(home, round * 37 + 200);
  return [
    {
      name: named("SessionStart, nothing prepared"),
      prepare(round) {
        rmSync(join(home.root, "cache", "prepared"), { recursive: true, force: true });
        return hookCommand(where, home, "SessionStart", `unprepared-${round}`);
      },
    },
    // What comes before decides what is prepared: another session that goes idle, or one that ends.
    ...["Stop", "SessionEnd"].map((event) => ({
      name: named(`SessionStart after a ${event}`),
      prepare(round: number) {
        timeProcess(event, hookCommand(where, home, event, sessionOf(round)));
        return hookCommand(where, home, "SessionStart", `after-${event}-${round}`);
      },
    })),
    {
      name: named("UserPromptSubmit about a topic"),
      prepare: (round) =>
        hookCommand(where, home, "UserPromptSubmit", sessionOf(round), { prompt: prompt(round) }),
    },
    {
      name: named("UserPromptSubmit without a topic"),
      prepare: (round) =>
        hookCommand(where, home, "UserPromptSubmit", sessionOf(round), { prompt: TOPICLESS }),
    },
    {
      name: named("PostToolUse"),
      prepare: (round) => hookCommand(where, home, "PostToolUse", sessionOf(round)),
    },
    { name: named("Stop"), prepare: (round) => hookCommand(where, home, "Stop", sessionOf(round)) },
  ];
}
