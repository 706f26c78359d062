import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { highlighted } from "../../../search/marks.ts";
import { termsOf } from "../../../search/words.ts";
import { projectIds, withSessions } from "../access.ts";
import { asError, query } from "../answers/query.ts";
import { ABANDONED, shownName } from "../labels.ts";
import { QUESTION, SESSION_WORD } from "./fields.ts";
import { factsOf, namesFor } from "./shown.ts";

/** How long the user waits for new sessions to be indexed. */
const SYNC_MS = 10_000;

/** Answers a question about a past session: written by the configured model, otherwise with quotes. */
export const ask = action({
  name: "sessions ask",
  about: "answer a question about a session",
  guide: "Answers with quotes from the session. If a model is configured, it writes the answer.",
  examples: [
    ['continuo sessions ask last "what did we decide about retries?"', "ask about the newest session"],
  ],
  effect: "reads",
  input: fields({
    session: SESSION_WORD,
    question: QUESTION,
    quotes: optional(flag("answer only with quotes, even if a model is configured")),
  }),
  async run({ quotes = false, ...asked }, place) {
    const { home, env, signal, tell } = place;
    // Loaded on demand, because it includes the code for models.
    const { composerFor, withPrice } = await import("../answers/composer.ts");
    const caller = { home, env, now: place.now(), signal };
    const compose = quotes ? undefined : composerFor(caller, (line) => tell?.(line));
    return withSessions(place, SYNC_MS, async (library) => {
      const viewpoint = { project: projectIds(place), self: place.session?.id };
      const outcome = await query(library, asked, viewpoint, compose);
      if (!outcome.ok) throw asError(outcome.failure);
      const { answer } = outcome;
      const session = library.get({ host: answer.host, id: answer.sessionId });
      const names = await namesFor(place, library);
      return { answer, session, names, terms: termsOf(asked.question), text: withPrice(answer) };
    });
  },
  json: ({ answer }) => answer,
  /** Users see whose words they are, and when. Agents, which read piped output, get the exact turns. */
  view({ answer, session, names, terms, text: whole }, { isPiped, paint, now }) {
    if (isPiped) return [exact(whole)];
    const { citations, notes, confidence } = answer;
    const isComposed = answer.model !== undefined && answer.model.attempts > 0;
    const weak =
      confidence === "low" && citations.length > 0 ? ["This session may not have the answer."] : [];
    const remarks = [...weak, ...notes];
    return [
      paint("bold", oneLine(session === undefined ? answer.sessionName : shownName(session))),
      ...(session === undefined ? [] : [`  ${paint("dim", factsOf(session, names.agent, now))}`]),
      ...(isComposed
        ? ["", { text: whole, isMarkdown: true as const }]
        : citations.flatMap(({ role, at, isLeft, excerpt, quote = excerpt }, place) => [
            "",
            paint("dim", `${place + 1}. ${role}, ${ago(at, now)}${isLeft ? ABANDONED : ""}`),
            `   ${highlighted(paint, oneLine(quote), terms)}`,
          ])),
      ...(isComposed || remarks.length === 0 ? [] : ["", ...remarks.map(oneLine)]),
      { next: [[`continuo sessions show ${names.short(answer.sessionId)}`, "What else was done in it"]] },
    ];
  },
});
