import { shellWord } from "../../base/shell-word.ts";
import type { History } from "../../moments/ports/history.ts";
import type { PastSession } from "./session.ts";

/**
 * What a person types to continue a session, with the folder by which most hosts find it. Each host's command was typed into
 * the real program (test/e2e/resume-commands.test.ts).
 */
export function resumeLine(session: PastSession, history: History): string | undefined {
  // Hosts resume no subagent on its own.
  if (session.isChild || session.isGone) return undefined;
  const command = history.get(session.host)?.resumeCommand(session);
  if (command === undefined || session.cwd === undefined) return command;
  return `cd ${shellWord(session.cwd)} && ${command}`;
}
