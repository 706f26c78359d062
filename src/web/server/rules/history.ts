import { basename } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { transcriptNames, triedToJson } from "../../../sources/rules/actions/describe-tried.ts";
import { pastOf, requireChecks, tryBegins } from "../../../sources/rules/actions/past.ts";
import { type TriedRule, triedRule } from "../../../sources/rules/actions/tried-rules.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import { suggestedText } from "../../../sources/rules/drafts/rule-file.ts";
import { parseRule } from "../../../sources/rules/parsing/parse.ts";
import type { Dialect } from "../../../sources/rules/rule.ts";
import { tryChecks } from "../../../sources/rules/try/try-checks.ts";
import type { TriedHistory } from "../../api/rules.ts";
import type { Web } from "../web.ts";
import { checkView } from "./check-view.ts";
import { judgeIn, shortText } from "./views.ts";

const MOST_PLACES = 20;
/** The user waits for it. After this time the results so far are shown, with how much was read. */
const LIMIT_MS = 8_000;

/** What the checks in a rule's text would have reported in past sessions, as `continuo rules try`. Stores nothing. */
export async function triedOnHistory(
  web: Web,
  root: string,
  { text, rule: key }: { readonly text: string; readonly rule?: string | undefined },
  signal: AbortSignal,
): Promise<TriedHistory> {
  const { project, catalog } = await judgeIn(web, { directory: root });
  const known = catalog.rules.find(({ file }) => file.key === key)?.file;
  if (key !== undefined && known === undefined)
    throw new ContinuoError("no-such-rule", "there is no such rule any more", { hint: "reload the page" });
  const file = { name: basename(known?.path ?? "new.md"), dialect: known?.dialect ?? ("continuo" as const) };
  const given = await readRule(text, file);
  const suggested = given.checks.length > 0 ? undefined : await suggestedText(text, file);
  const rule = suggested === undefined ? given : await readRule(suggested, file);
  const since = tryBegins(web.now());
  // A text without anything to try is not an error: there is no reason to read sessions. A mistake in its checks is an
  // error.
  if (rule.checks.every(({ on }) => on === "run") && leftOutChecks(rule.lints).length === 0)
    return { since: new Date(since).toISOString(), checks: rule.checks.map(checkView), ...NOTHING };
  requireChecks([rule], known === undefined ? "this text" : undefined);
  const result = await tryChecks([rule], {
    ...(await pastOf(web, project)),
    since,
    most: MOST_PLACES,
    limitMs: LIMIT_MS,
    isOver: () => signal.aborted,
  });
  const { found } = triedToJson(
    result,
    { rules: [rule], since, ms: 0, project: project.root },
    transcriptNames(await web.others(web)),
  );
  const { sessions, ofSessions, sessionsBroken, occasions, broken, told, isCut } = result;
  return {
    since: new Date(since).toISOString(),
    checks: rule.checks.map(checkView),
    suggested,
    ...{ sessions, ofSessions, sessionsBroken, occasions, broken, places: told, isCut },
    found: found.map(({ host, session, sessionName, at, path, line, text, message }) => ({
      host,
      session,
      name: shortText(sessionName),
      ...(at === null ? {} : { at }),
      ...(path === undefined ? {} : { path: shortText(path) }),
      line,
      text: shortText(text === "" ? (message ?? "") : text),
    })),
  };
}

const NOTHING = {
  ...{ sessions: 0, ofSessions: 0, sessionsBroken: 0, occasions: 0, broken: 0, places: 0 },
  ...{ isCut: false, found: [] },
} as const;

async function readRule(text: string, file: { name: string; dialect: Dialect }): Promise<TriedRule> {
  return triedRule(await parseRule(text, file), file.name);
}
