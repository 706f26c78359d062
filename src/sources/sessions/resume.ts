import { isAbsolute } from "node:path";
import { shellWord } from "../../base/text.ts";
import type { History } from "../../moments/ports/history.ts";
import type { PastSession } from "./session.ts";

/** How to continue a session. Each host's command was tried in the real program (test/e2e/resume-commands.test.ts). */
export interface Resumption {
  readonly program: string;
  readonly args: readonly string[];
  /** The folder in which it ran, by which most hosts find the session; it may no longer exist. */
  readonly cwd?: string;
}

/** Why a session cannot be resumed, as a clause. */
export interface NotResumable {
  readonly why: string;
}

/** The command as a user would type it; undefined if the session cannot be resumed. */
export function resumeLine(session: PastSession, history: History): string | undefined {
  const found = resumptionOf(session, history);
  if ("why" in found) return undefined;
  const command = [found.program, ...found.args].map(typed).join(" ");
  return session.cwd === undefined ? command : `cd ${shellWord(session.cwd)} && ${command}`;
}

const typed = (word: string): string => (OPTION.test(word) ? word : shellWord(word));

/** Needs no quotes in a shell. */
const OPTION = /^--?[a-z]+(?:=[\w@%+:,./-]*)?$/;

/**
 * Ids come from file names and transcripts that anyone may have written. An id of this form cannot be mistaken for an
 * option or a path.
 */
const PLAIN_ID = /^[A-Za-z0-9][\w.:@+-]{0,199}$/;
const CONTROL = /\p{Cc}/u;

export function resumptionOf(session: PastSession, history: History): Resumption | NotResumable {
  if (session.isGone) return { why: "its agent has deleted this session" };
  if (session.isChild) return { why: "the session of a subagent cannot be resumed" };
  const words = history.get(session.host)?.resumeWords(session);
  if (words === undefined) return { why: `sessions of ${session.host} cannot be resumed` };
  if (!PLAIN_ID.test(session.id)) return { why: "its id has characters that no agent uses" };
  const [program, ...args] = words;
  const isPlain = args.every((arg) => !CONTROL.test(arg) && (!arg.includes("/") || isAbsolute(arg)));
  if (!isPlain) return { why: "its path has characters that are not safe to pass to a program" };
  const { cwd } = session;
  return { program, args, ...(cwd !== undefined && isAbsolute(cwd) && !cwd.includes("\0") && { cwd }) };
}
