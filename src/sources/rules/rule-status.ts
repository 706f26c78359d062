import { join } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import { type PromptText, quoteLine } from "../../compose/escape.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findProject } from "../../moments/project/project.ts";
import { MAX_STATE_BYTES, type SessionState } from "../../moments/state/session-state.ts";
import type { Session } from "../../moments/types.ts";
import { loadConfig } from "../../store/config.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { isOnRequest } from "./catalog/digest.ts";
import { evaluate } from "./evaluate.ts";
import { readMemo } from "./memo.ts";
import { factsOf } from "./session.ts";
import { rules } from "./source.ts";

interface RuleStatus {
  readonly rule: CatalogRule;
  readonly active: boolean;
  readonly because: string;
}

/** Every rule of the project, evaluated with what the session's hooks have seen so far. Writes nothing. */
export async function ruleStatuses({ session, cwd, home, env, now }: ToolContext): Promise<RuleStatus[]> {
  const project = findProject(cwd);
  const { config } = loadConfig(home.config, [rules], env);
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env,
    settings: config.sources["rules"] ?? {},
    host: session.host,
    readOnly: true,
    now,
  });
  const moment = { name: "start" as const, session, project, cwd, at: now };
  const facts = factsOf(moment, readMemo(storedMemo(home, session)), env);
  return catalog.rules.map((rule) => {
    const { active, because } = evaluate(rule, facts);
    return { rule, active, because: because() };
  });
}

/** Read-only: a damaged state is repaired by the code that writes it. */
function storedMemo(home: Home, session: Session): unknown {
  try {
    const path = join(home.state, session.host, `${fileNameFor(session.id)}.json`);
    return (JSON.parse(readText(path, { maxBytes: MAX_STATE_BYTES })) as Partial<SessionState>).memos?.[
      "rules"
    ];
  } catch {
    return undefined; // a session without hooks has no state: then only rules that need no observation are active
  }
}

/** A rule without a name uses its file's name; users may omit the extension. */
export function hasName(name: string, { rule }: RuleStatus): boolean {
  return rule.name === name || rule.name.replace(/\.(instructions\.)?(mdc?|txt)$/i, "") === name;
}

export function describeRule({ rule, active, because }: RuleStatus): string {
  const head = `# ${rule.name}\n\n${active ? "Active" : "Not active"}: ${because}. From ${rule.file.path}`;
  return rule.body === "" ? head : `${head}\n\n${rule.body}`;
}

export async function namesLike(typed: string, call: ToolContext): Promise<string[]> {
  const names = new Set((await ruleStatuses(call)).map(({ rule }) => rule.name));
  return [...names].filter((name) => name.toLowerCase().includes(typed.toLowerCase()));
}

export async function whyPrompt(wanted: string | undefined, call: ToolContext): Promise<PromptText> {
  const all = await ruleStatuses(call);
  const chosen = wanted ? all.filter((one) => hasName(wanted, one)) : all;
  if (wanted && chosen.length === 0) {
    const names = all.map(({ rule }) => rule.name);
    const near = nearest(wanted, names);
    throw new ContinuoError("no-such-rule", `there is no rule "${wanted}" here`, {
      hint: near === undefined ? `rules here: ${names.join(", ") || "none"}` : `did you mean "${near}"?`,
    });
  }
  const lines = chosen.map(({ rule, active, because }) =>
    quoteLine(
      `${rule.name}: ${active ? "active" : isOnRequest(rule) ? "on request" : "not active"}, ${because} (${rule.file.path})`,
    ),
  );
  return {
    quoted: lines.length === 0 ? "There are no rules here." : lines.join("\n"),
    request:
      "Tell me in a few plain sentences which of these rules apply to this session and what made each apply, " +
      "and for the others what they wait for. Change nothing.",
  };
}
