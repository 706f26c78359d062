import type { PastSession } from "./session.ts";

/** What to type to go on with a session, in the folder that it was in. Each was typed into its real program (test/e2e/resume-commands.test.ts). */
export function resumeCommand({ host, id, path, isChild }: PastSession): string | undefined {
  // Hosts resume no subagent on its own.
  if (isChild) return undefined;
  const word = quoted(id);
  switch (host) {
    case "claude-code":
      return `claude --resume ${word}`;
    case "opencode":
      return `opencode -s ${word}`;
    case "pi":
      // The file, because an id is looked for in the current folder's sessions only.
      return `pi --session ${quoted(path)}`;
    case "codex":
      return `codex resume ${word}`;
    case "copilot":
      return `copilot --resume=${word}`;
    case "gemini":
      return `gemini --resume ${word}`;
  }
}

/** With the folder, which most hosts look for their sessions by. */
export function resumeLine(session: PastSession): string | undefined {
  const command = resumeCommand(session);
  if (command === undefined || session.isGone) return undefined;
  return session.cwd === undefined ? command : `cd ${quoted(session.cwd)} && ${command}`;
}

/** For a shell. Ids and paths come from files: nothing in them may be run. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
