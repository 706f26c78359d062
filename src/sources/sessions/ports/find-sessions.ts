import { ContinuoError } from "../../../base/errors.ts";
import { shellWord } from "../../../base/text.ts";
import { quote } from "../../../compose/escape.ts";
import type { FindFilter, Findings, FindRequest, Hit } from "../../../moments/ports/finder.ts";
import type { History } from "../../../moments/ports/history.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { catchUp, projectIds, withSessions } from "../access.ts";
import { explainNoMatch } from "../answers/recall.ts";
import { day, oneLine } from "../labels.ts";
import type { SessionFilter, SessionHit, Sessions } from "../library.ts";
import type { PastSession } from "../session.ts";
import { sessionsSettings } from "../settings.ts";

const LONGEST_NAME = 100;
const LONGEST_EXCERPT = 260;
const LONGEST_COMMAND = 300;
const NO_SYNC = 0;
const BEHIND = "Not every past session is indexed yet: asking again goes on with it.";

/** The best sessions of all hosts and projects except this one, each with its best passage. */
export async function findSessions(asked: FindRequest, call: ToolContext): Promise<Findings> {
  const { query, page, pageSize, patienceMs } = asked;
  const filter = sessionFilter(asked.filter, call, await call.history());
  return withSessions(call, NO_SYNC, async (library) => {
    // If the user turned indexing off, a search must not index. It uses the index as it is.
    const isIndexing = sessionsSettings(call.home, call.env)["index"] !== false;
    const isBehind = isIndexing && !(await catchUp(library, { sliceMs: patienceMs })).isComplete;
    const { hits, total, notices } = library.search(query, {
      ...filter,
      except: call.session.id,
      skip: (page - 1) * pageSize,
      limit: pageSize,
    });
    return {
      hits: hits.map((hit) => foundOf(hit, library)),
      total,
      notices: [
        ...notices,
        ...(total === 0 ? explainNoMatch(library, filter) : []),
        ...(isBehind ? [BEHIND] : []),
      ],
    };
  });
}

function sessionFilter(filter: FindFilter, call: ToolContext, history: History): SessionFilter {
  const { host, project, branch, file, since, until } = filter;
  return {
    ...(host !== undefined && { host: hostNamed(host, history) }),
    ...(project !== undefined && { project: project === "." ? projectIds(call) : project }),
    branch,
    file,
    since,
    until,
  };
}

function hostNamed(text: string, history: History): string {
  const hosts = [...history.keys()];
  const found = hosts.find((host) => host === text.toLowerCase());
  if (found !== undefined) return found;
  throw new ContinuoError("invalid-argument", `host is ${JSON.stringify(text)}`, {
    hint: `give one of ${hosts.join(", ")}`,
  });
}

function foundOf({ session, score, best }: SessionHit, library: Sessions): Hit {
  const { id, host, label, branch, modified, isGone, name } = session;
  const facts = [id, host, label, branch, day(modified), isGone ? "its transcript is gone" : undefined];
  const goOn = isGone ? undefined : commandOf(session, library);
  return {
    title: `"${oneLine(name, LONGEST_NAME)}"`,
    where: facts.flatMap((fact) => (fact === undefined ? [] : [oneLine(fact, LONGEST_NAME)])),
    score,
    time: modified,
    excerpt:
      best === undefined
        ? ""
        : oneLine(`${best.isCalls ? "tools" : best.role}: ${best.snippet}`, LONGEST_EXCERPT),
    goOn,
  };
}

/** A folder may have any name. A command that is not plain text on one line is replaced by one with the id. */
function commandOf(session: PastSession, library: Sessions): string | undefined {
  const command = library.resumeLine(session);
  if (command === undefined) return undefined;
  const isPlain = command.length <= LONGEST_COMMAND && !/\s{2}|[\n\t]/.test(command);
  return isPlain && quote(command) === command
    ? command
    : `continuo sessions resume ${shellWord(oneLine(session.id, LONGEST_NAME))}`;
}
