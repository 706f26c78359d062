import { oneLine } from "../base/for-terminal.ts";
import type { SessionFile, TranscriptReader } from "../moments/ports/history.ts";
import { folderOfUser, metaFile } from "../moments/state/session-meta.ts";
import { nameOfFile } from "../sources/sessions/left-off/name-of-file.ts";
import { findHome } from "../store/home.ts";
import type { World } from "./command.ts";

// Display names of agents and sessions, instead of the names and ids in files and options.

/** `Claude Code` for `claude-code`. */
export async function agentNamer({
  installers,
}: Pick<World, "installers">): Promise<(host: string) => string> {
  const labels = new Map((await installers()).map(({ host, label }) => [host as string, label]));
  return (host) => labels.get(host) ?? (host === "mcp" ? "MCP client" : oneLine(host));
}

interface SessionOf {
  readonly host: string;
  readonly session: string;
}

/**
 * The name that the user gave a session, else the one from its transcript, which is read on first use; "" if there is
 * none.
 */
export async function sessionNamer({ history, env }: Pick<World, "history" | "env">) {
  const readers = await history();
  const files = new Map<string, ReadonlyMap<string, SessionFile>>();
  const filesOf = (reader: TranscriptReader) => {
    const known = files.get(reader.host);
    if (known !== undefined) return known;
    const found = new Map(
      reader.discover(env, { onFailure: () => undefined }).map((file) => [file.id, file]),
    );
    files.set(reader.host, found);
    return found;
  };
  const names = new Map<string, string>();
  return ({ host, session }: SessionOf): string => {
    const key = `${host}\n${session}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const reader = [...readers.values()].find((one) => one.host === host);
    const file = reader === undefined ? undefined : filesOf(reader).get(session);
    const name = givenName(env, { host, session }) || (file && reader ? nameOfFile(reader, file) : "");
    names.set(key, name);
    return name;
  };
}

function givenName(env: NodeJS.ProcessEnv, { host, session }: SessionOf): string {
  try {
    return (
      metaFile(findHome(env), folderOfUser(env), { host, id: session }, { lockWaitMs: 0 }).read()?.name ?? ""
    );
  } catch {
    return ""; // a name is optional, so do not fail: doctor reports what is wrong with the file
  }
}
