import { count, localTime } from "../../../base/when.ts";
import type { AskUser, Form } from "../../../moments/ports/form.ts";
import type { Scope } from "../file/sidecar.ts";
import { visible } from "../text.ts";
import type { Inbox, PendingProposal } from "./inbox.ts";

/** What a person decides about one suggestion. */
export type Choice =
  | { readonly do: "accept"; readonly text?: string; readonly scope?: Scope }
  | { readonly do: "reject" }
  | { readonly do: "later" }
  | { readonly do: "undo" }
  | { readonly do: "stop" };

export interface Progress {
  /** What happened to the one before. */
  readonly last: string | undefined;
  /** Those that still wait, with this one. */
  readonly left: number;
}

export interface Reviewed {
  readonly accepted: number;
  readonly rejected: number;
  /** What was done, for people. */
  readonly done: readonly string[];
  readonly left: number;
}

/** Far more than anybody decides in one sitting. */
const MAX_CHOICES = 1_000;

/**
 * Goes through what waits, oldest first and what is held back last, until nothing is left or the person stops. Each decision is stored at once, and
 * the list is read again after it: somebody may decide in another window.
 */
export async function reviewAll(
  inbox: Inbox,
  choose: (suggestion: PendingProposal, progress: Progress) => Promise<Choice>,
): Promise<Reviewed> {
  const later = new Set<string>();
  const decisions: ("accept" | "reject")[] = [];
  const done: string[] = [];
  let last: string | undefined;
  for (let i = 0; i < MAX_CHOICES; i++) {
    const waiting = inbox.pending().filter(({ id }) => !later.has(id));
    const [next] = waiting;
    if (next === undefined) break;
    const choice = await choose(next, { last, left: waiting.length });
    if (choice.do === "stop") break;
    if (choice.do === "later") {
      later.add(next.id);
      last = undefined;
    } else if (choice.do === "undo") {
      const answer = decisions.pop() === undefined ? NOTHING_TO_UNDO : await inbox.undo();
      if (answer.done) done.pop();
      last = answer.message;
    } else {
      const answer =
        choice.do === "accept" ? await inbox.accept(next.id, choice) : await inbox.reject(next.id);
      if (answer.done) decisions.push(choice.do);
      if (answer.done) done.push(answer.message);
      last = answer.message;
    }
  }
  const many = (what: (typeof decisions)[number]) => decisions.filter((one) => one === what).length;
  return { accepted: many("accept"), rejected: many("reject"), done, left: inbox.pending().length };
}

const NOTHING_TO_UNDO = {
  done: false,
  message: "Nothing was decided here yet. Earlier decisions: continuo seed undo",
};

/** When an accepted suggestion begins to act: what a session was given stays as it is. */
export const TAKES_EFFECT = "What you accept holds from the next session or compaction on.";

/** What a person needs to decide: the suggestion, and where it comes from. */
export function describeSuggestion(one: PendingProposal): string[] {
  const { text, quote, project, host, at, byModel, similarTo } = one;
  const when = Number.isNaN(at) ? undefined : localTime(at);
  const where = [project, host, when].filter((one) => one !== undefined).join(", ");
  const from = quote === "" ? `From ${where}` : `You said: "${quote}" (${where})`;
  // On one line with the text: Claude Code's form shows four lines.
  const mark = similarTo === undefined ? "" : ` (similar to one you rejected: "${similarTo}")`;
  return [`"${text}"${mark}`, byModel ? `Suggested by the model. ${from}` : from];
}

/** One form per suggestion, in hosts that can show one. */
export function reviewByForm(inbox: Inbox, ask: AskUser): Promise<Reviewed> {
  return reviewAll(inbox, async (suggestion, { last, left }) => {
    const progress = [
      ...(last === undefined ? [] : [`${last}.`]),
      `${count(left, "suggestion")} left.`,
      TAKES_EFFECT,
    ];
    // Claude Code shows four lines.
    const message = [...describeSuggestion(suggestion), progress.join(" ")].join("\n");
    const answers = await ask({ message, fields: fieldsFor(suggestion) });
    if (answers === undefined) return { do: "stop" };
    const { decision, text = "", scope } = answers;
    if (decision === "reject" || decision === "later") return { do: decision };
    // An edit without a text, or with nothing that can be seen, decides nothing.
    if (decision === "edit" && visible(text) === "") return { do: "later" };
    const isChanged = text.trim() !== "" && text.trim() !== suggestion.text;
    return {
      do: "accept",
      ...(isChanged ? { text } : {}),
      ...(scope === undefined ? {} : { scope: scope === EVERYWHERE ? "everywhere" : "project" }),
    };
  });
}

const HERE = "this project";
const EVERYWHERE = "everywhere";

function fieldsFor({ text, scope, project }: PendingProposal): Form["fields"] {
  return [
    { name: "decision", title: "Decision", choices: ["accept", "edit", "reject", "later"] },
    { name: "text", title: "Text", value: text, isAsked: ({ decision }) => decision === "edit" },
    ...(project === undefined
      ? []
      : [
          {
            name: "scope",
            title: `Where it holds (this project: ${project})`,
            choices: scope === "everywhere" ? [EVERYWHERE, HERE] : [HERE, EVERYWHERE],
            value: scope === "everywhere" ? EVERYWHERE : HERE,
            isAsked: ({ decision }: Readonly<Record<string, string>>) =>
              decision === "accept" || decision === "edit",
          },
        ]),
  ];
}
