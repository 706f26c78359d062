import { oneLine } from "../../base/for-terminal.ts";
import { count, localTime } from "../../base/when.ts";
import type { AskUser, Form } from "../ports/form.ts";
import type { Scope, Suggestion, SuggestionAnswer, Suggestions } from "../ports/suggestions.ts";
import { ONLY_QUESTIONS } from "./suggestions.ts";

/** The user's decision on one suggestion. */
export type Choice =
  | { readonly do: "accept"; readonly text?: string; readonly scope?: Scope }
  | { readonly do: "reject" }
  | { readonly do: "mute" }
  | { readonly do: "later" }
  | { readonly do: "undo" }
  | { readonly do: "stop" };

export interface Progress {
  /** The result of the previous one. */
  readonly last: string | undefined;
  /** How many are still pending, including this one. */
  readonly left: number;
}

/** Empty before the first decision. */
export function leftWords({ last, left }: Progress): string {
  return `${count(left, "suggestion")} ${last === undefined ? "to review" : "left"}`;
}

export interface Reviewed {
  readonly accepted: number;
  readonly rejected: number;
  /** When accepted suggestions take effect; empty if there are none. */
  readonly effect: readonly string[];
  /** What was done, to show. */
  readonly done: readonly string[];
  readonly left: number;
  /** The last message, for example why a decision was not possible. */
  readonly said: string | undefined;
}

/** Far more than anyone decides in one session. */
const MAX_CHOICES = 1_000;

/**
 * Goes through pending suggestions, oldest first and held-back ones last, until none are left or the user stops. Each
 * decision is stored at once, and the list is read again after it, because another window may decide too.
 */
export async function reviewAll(
  inbox: Suggestions,
  choose: (suggestion: Suggestion, progress: Progress) => Promise<Choice>,
): Promise<Reviewed> {
  const later = new Set<string>();
  const decisions: {
    readonly what: "accept" | "reject" | "mute";
    readonly kind: Suggestion["kind"];
    readonly batch: string | undefined;
  }[] = [];
  const done: string[] = [];
  let last: string | undefined;
  for (let i = 0; i < MAX_CHOICES; i++) {
    const waiting = inbox.list().filter(({ id }) => !later.has(id));
    const [next] = waiting;
    if (next === undefined) break;
    const shown = (await inbox.look?.(next)) ?? next;
    const choice = await choose(shown, { last, left: waiting.length });
    if (choice.do === "stop") break;
    if (choice.do === "later") {
      later.add(next.id);
      last = undefined;
    } else if (choice.do === "undo") {
      const undone = decisions.pop();
      const answer = undone === undefined ? NOTHING_TO_UNDO : await inbox.withdraw(undone.batch);
      if (answer.done) done.pop();
      last = answer.message;
    } else {
      const answer = await carryOut(inbox, next.id, choice);
      if (answer.done) decisions.push({ what: choice.do, kind: next.kind, batch: answer.batch });
      if (answer.done) done.push(answer.message);
      // Otherwise a decision that is not possible now would be requested forever.
      else if (answer.isAskedAgain !== true) later.add(next.id);
      last = answer.message;
    }
  }
  const many = (...what: string[]) => decisions.filter((one) => what.includes(one.what)).length;
  return {
    accepted: many("accept"),
    rejected: many("reject", "mute"),
    effect: takesEffect(decisions.flatMap(({ what, kind }) => (what === "accept" ? [kind] : []))),
    done,
    left: inbox.list().length,
    said: last,
  };
}

export async function carryOut(
  inbox: Suggestions,
  id: string,
  choice: Extract<Choice, { readonly do: "accept" | "reject" | "mute" }>,
): Promise<SuggestionAnswer> {
  if (choice.do === "accept") return inbox.accept(id, choice);
  return choice.do === "reject" ? inbox.reject(id) : ((await inbox.mute?.(id)) ?? ONLY_QUESTIONS);
}

const NOTHING_TO_UNDO = {
  done: false,
  message: "Nothing was decided here yet. Earlier decisions: continuo review undo",
};

/**
 * When accepted suggestions of these kinds take effect. A check is looked up at each tool call; text that a session
 * already received stays the same.
 */
export function takesEffect(accepted: readonly Suggestion["kind"][]): string[] {
  const isCheck = (kind: Suggestion["kind"]) => kind === "check" || kind === "question";
  return [
    ...(accepted.some(isCheck) ? ["A check that you accept applies from the next tool call."] : []),
    ...(accepted.some((kind) => !isCheck(kind))
      ? ["A learning that you accept applies from the next session or compaction."]
      : []),
  ];
}

/** What the user needs to decide: the suggestion, and where it comes from. At most three lines. */
export function describeSuggestion(one: Suggestion): string[] {
  const { text, kind, similarTo } = one;
  // On the same line as the text, because Claude Code's form shows four lines.
  const mark = similarTo === undefined ? "" : ` (similar to one you rejected: "${similarTo}")`;
  const shown = kind === "check" ? `Check: ${text}` : kind === "question" ? text : `"${text}"`;
  const [said, ...places] = one.tried ?? [];
  const tried = said === undefined ? [] : [`${said} ${places.join("; ")}`.trimEnd()];
  const lines = [originOf(one), ...tried];
  // A form may cut each line at its end, so the question comes first, then what happened.
  return [`${shown}${mark}`, ...(kind === "question" ? lines.reverse() : lines)];
}

/** The same, with the place where it would apply. */
export function describePlaced(one: Suggestion, scope: Scope): string[] {
  if (one.isFixed === true) return describeSuggestion(one);
  const where = scope === "everywhere" ? "all projects" : (one.project ?? "its project");
  return [...describeSuggestion(one), `For ${where}`];
}

function originOf({ quote, project, host, file, at, byModel, rule, kind }: Suggestion): string {
  const when = Number.isNaN(at) ? undefined : localTime(at);
  if (rule !== undefined) {
    const where = `the rule "${rule.name}" (${[rule.path, kind === "question" ? when : undefined].filter((one) => one !== undefined).join(", ")})`;
    return quote === "" ? `About ${where}` : `From ${where}: "${quote}"`;
  }
  const where = [file, project, host, when].filter((one) => one !== undefined).join(", ");
  const from = quote === "" ? `From ${where}` : `You said: "${quote}" (${where})`;
  return byModel ? `Suggested by the model. ${from}` : from;
}

/** One form per suggestion, for hosts that support forms. */
export function reviewByForm(inbox: Suggestions, ask: AskUser): Promise<Reviewed> {
  return reviewAll(inbox, async (suggestion, { last, left }) => {
    const progress = [
      ...(last === undefined ? [] : [`${last}.`]),
      `${leftWords({ last, left })}.`,
      ...takesEffect([suggestion.kind]),
    ];
    // Claude Code shows four lines.
    const message = [...describeSuggestion(suggestion), progress.join(" ")].join("\n");
    const answers = await ask({ message, fields: fieldsFor(suggestion) });
    if (answers === undefined) return { do: "stop" };
    const { decision, text = "", scope } = answers;
    const chosen = decision === undefined ? undefined : (QUESTION_CHOICES[decision] ?? decision);
    if (chosen === "reject" || chosen === "later" || chosen === "mute") return { do: chosen };
    // An edit without visible text decides nothing.
    if (chosen === "edit" && oneLine(text) === "") return { do: "later" };
    const isChanged = text.trim() !== "" && text.trim() !== editable(suggestion);
    return {
      do: "accept",
      ...(isChanged ? { text } : {}),
      ...(scope === undefined ? {} : { scope: scope === EVERYWHERE ? "everywhere" : "project" }),
    };
  });
}

/** The part that "edit" changes. */
export function editable({ pattern, text }: Suggestion): string {
  return pattern ?? text;
}

/** Whether the user can choose where it applies. */
export function hasScope({ project, isFixed }: Suggestion): boolean {
  return project !== undefined && isFixed !== true;
}

const EVERYWHERE = "everywhere";

/** Labels for accept, reject and mute in questions. */
const QUESTION_CHOICES: Readonly<Record<string, string>> = {
  "refuse it": "accept",
  "keep checking": "reject",
  "stop checking": "mute",
};

function fieldsFor(one: Suggestion): Form["fields"] {
  const { kind, scope, project = "" } = one;
  const here = `only in ${oneLine(project)}`;
  if (kind === "question")
    return [{ name: "decision", title: "Decision", choices: [...Object.keys(QUESTION_CHOICES), "later"] }];
  return [
    { name: "decision", title: "Decision", choices: ["accept", "edit", "reject", "later"] },
    {
      name: "text",
      title: kind === "check" ? "Pattern" : "Text",
      value: editable(one),
      isAsked: ({ decision }) => decision === "edit",
    },
    ...(hasScope(one)
      ? [
          {
            name: "scope",
            title: "Applies to",
            choices: scope === "everywhere" ? [EVERYWHERE, here] : [here, EVERYWHERE],
            value: scope === "everywhere" ? EVERYWHERE : here,
            isAsked: ({ decision }: Readonly<Record<string, string>>) =>
              decision === "accept" || decision === "edit",
          },
        ]
      : []),
  ];
}
