import { type Imagined, type JudgedRules, judge } from "../../../cli/commands/rules/judged.ts";
import { HOOK_LIMITS } from "../../../sources/rules/files/limits.ts";
import type { Web } from "../web.ts";

/** As hooks read them, in bounded time; what is not read yet is read by the next call. */
export function judgeIn(web: Web, imagined: Imagined): Promise<JudgedRules> {
  return judge(web, imagined, { limits: HOOK_LIMITS, readOnly: false });
}
