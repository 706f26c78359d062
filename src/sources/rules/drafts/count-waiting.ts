import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import type { Moment } from "../../../moments/types.ts";

/** How many drafts and questions are pending. Loads nothing if there are none. */
export async function waitingAt(
  moment: Moment,
  { home, report }: Pick<SourceContext, "home" | "report">,
): Promise<Pick<Answer, "waiting">> {
  const isAsked = moment.name === "start" && moment.session.parent === undefined;
  if (!isAsked || !existsSync(join(home, WAITING_FILE))) return {};
  try {
    const { drafts, questions } = (await import("./waiting.ts")).readWaiting(home);
    return { waiting: drafts.length + questions.length };
  } catch (error) {
    const { code, message, hint } = describeError(error);
    report(code, message, hint);
    return {};
  }
}

/** Below Continuo's home: drafts of checks and questions about them, one JSON object per line, appended. */
export const WAITING_FILE = "checks.jsonl";
