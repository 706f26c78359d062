import type { GuardContext, Guarded } from "../../moments/ports/source.ts";
import type { ToolMoment } from "../../moments/types.ts";
import { readCatalog } from "./catalog/catalog.ts";
import { checkBefore } from "./checks/check-before.ts";
import { NOTHING_SEEN } from "./checks/memo.ts";
import { readMemo } from "./memo.ts";
import { trustedProjects } from "./trusted.ts";

/**
 * What rules refuse, or ask about, before a tool call. In a project that the user does not trust, only the user's own
 * rules may; the project's are not even read, because one of the same name would replace the user's.
 */
export async function guard(moment: ToolMoment, context: GuardContext): Promise<Guarded | undefined> {
  const { home, env, settings, report } = context;
  const { session, project, at: now } = moment;
  const isTrusted = trustedProjects(now, context).includes(project.id);
  const { rules, pending } = await readCatalog({
    root: project.root,
    home,
    env,
    settings,
    host: session.host,
    readOnly: false,
    now,
    wanted: { kind: "checks" },
    isUsersOnly: !isTrusted,
  });
  if (pending.length > 0)
    report("rules-pending", `${pending.length} rule files are not read yet; their checks were left out`);
  const heard = rules.filter(
    ({ file, checks }) =>
      checks.some(({ reaction }) => reaction === "deny" || reaction === "ask") &&
      !context.isGuardOff(file.key, file.scope === "global"),
  );
  if (heard.length === 0) return undefined;
  const found = checkBefore(
    moment,
    heard,
    () => isTrusted,
    () => readMemo(context.memo()).checks,
  );
  if (found === undefined) return undefined;
  const { change, ...guarded } = found;
  if (change === undefined) return guarded;
  return {
    ...guarded,
    remember: (newest) => {
      const memo = readMemo(newest);
      return { ...memo, checks: change(memo.checks ?? NOTHING_SEEN) };
    },
  };
}
