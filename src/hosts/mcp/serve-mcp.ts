import { ContinuoError, systemCode } from "../../base/errors.ts";
import { unique } from "../../base/unique.ts";
import type { LoadHistory } from "../../moments/ports/history.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { keepEvents } from "../../sources/context/events.ts";
import { findHome } from "../../store/home.ts";
import { recordFailure } from "../shared/follow.ts";
import { leaveSoon, whenOrphaned } from "./life.ts";
import { OFFERS, type Offers } from "./offers.ts";
import { type Caller, connect } from "./protocol.ts";
import { sessionOf } from "./session.ts";

export interface ServeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  readonly version: string;
  readonly history: LoadHistory;
  readonly offers?: Offers;
  /** Called once, after the first answer: what can wait until the client has been served. */
  readonly onReady?: () => void;
}

/** A client that talks nonsense does so all the time: the first few records tell as much as a thousand. */
const MAX_PROTOCOL_RECORDS = 5;

/** Serves one client on stdin and stdout until it is gone. */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const { env, now, offers = OFFERS } = options;
  const record = (place: string, error: unknown) => recordFailure(env, `mcp: ${place}`, error, now());
  // The process still ends as it would, but not without a word.
  process.once("uncaughtExceptionMonitor", (error) => record("server", error));
  const home = findHome(env);
  const stopKeeping = keepEvents(home);
  const ownId = unique(); // not a UUID: loading node:crypto takes a tenth of the start
  const cwd = env["CLAUDE_PROJECT_DIR"] || options.cwd;
  const contextOf = ({ meta, client, signal }: Caller): ToolContext => ({
    session: sessionOf(env, meta, client, ownId),
    cwd,
    home,
    env,
    now: now(),
    history: options.history,
    signal,
  });

  let nonsense = 0;
  const connection = connect({
    version: options.version,
    offers,
    contextOf,
    onFault: record,
    onReady: options.onReady ?? (() => undefined),
    callTool: async (name, args, caller) => {
      const tool = offers.tools.find((one) => one.name === name);
      if (tool === undefined) return undefined;
      try {
        const { ok, text } = await tool.run(args, contextOf(caller));
        return { content: [{ type: "text", text }], ...(ok ? {} : { isError: true }) };
      } catch (error) {
        record(name, error);
        const text = `${name} failed because of a fault in Continuo; "continuo doctor" shows it`;
        return { content: [{ type: "text", text }], isError: true };
      }
    },
    onTrouble: (error) => {
      // A host that ends while we answer is no failure, and there is nobody left to tell.
      if (systemCode(error) === "EPIPE" || ++nonsense > MAX_PROTOCOL_RECORDS) return;
      record("protocol", new ContinuoError("mcp-protocol", error.message, { cause: error }));
    },
  });
  const stopWatching = whenOrphaned(() => void connection.close());
  await connection.closed;
  stopWatching();
  stopKeeping();
  leaveSoon();
}
