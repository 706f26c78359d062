import { ContinuoError } from "../../base/errors.ts";
import { oneLine, shortId } from "../../base/for-terminal.ts";
import { ago, count } from "../../base/when.ts";
import { fields, flag, oneOf, optional, text, texts, whole } from "../actions/fields.ts";
import { type ActionGroup, action, type Example, type Place } from "../ports/action.ts";
import type { SourceModule } from "../ports/source.ts";
import type { AcceptChoice, Suggestion, SuggestionAnswer, Suggestions } from "../ports/suggestions.ts";
import { type Block, exact } from "../ports/view.ts";
import { carryOut, describePlaced, takesEffect } from "./review.ts";
import { NOT_PENDING, openSuggestions } from "./suggestions.ts";

/** The actions on suggestions, of all sources. */
export function reviewGroup(modules: readonly SourceModule[]) {
  const open: Open = ({ home, env, now, history }) =>
    openSuggestions(modules, { home: home.root, env, now, history });
  return {
    name: "review",
    about: "accept or reject what Continuo suggests",
    section: "rules",
    guide:
      'Continuo finds wishes in your sessions, such as "from now on use pnpm", and suggests learnings and checks. It also asks what to do about a rule that agents keep breaking. Nothing has an effect until you accept it.\n\nWithout a terminal, or with --json, it lists the pending suggestions.',
    examples: [
      ["continuo review", "decide on each suggestion with one key"],
      ["continuo review --json", "list pending suggestions, for a script"],
    ],
    actions: [
      list(open),
      accept(open),
      plain(open, "reject", "reject suggestions; they are not suggested again", [
        "continuo review reject 3f2a 91bc",
        "reject two",
      ]),
      plain(open, "mute", "for a rule that agents keep breaking: stop checking it", [
        "continuo review mute 3f2a",
        "stop checking this rule",
      ]),
      undo(open),
      history(open),
    ],
  } satisfies ActionGroup;
}

type Open = (place: Place) => Promise<Suggestions>;

const IDS = texts("a suggestion; the first four characters of its id are enough", {
  typed: "word",
  value: "ID",
  most: 200,
});
const EXACT = optional(flag("the ids are whole, and no beginnings", { typed: "never" }));
/** Longer than any learning that a model should get. */
const MOST_CHARACTERS = 4_000;

/** Trying a check on past sessions takes seconds: a list waits no longer than this. */
const LOOKING_MS = 5_000;

const list = (open: Open) =>
  action({
    name: "review list",
    about: "list the pending suggestions",
    effect: "reads",
    input: fields({
      ids: optional(IDS),
      exact: EXACT,
      untried: optional(flag("without trying checks on past sessions", { typed: "never" })),
    }),
    examples: [["continuo review list", "list them with their ids"]],
    async run({ ids, exact: isExact, untried }, place) {
      const inbox = await open(place);
      const all = inbox.list();
      const chosen = ids === undefined ? all : ids.flatMap((id) => chosenBy(all, id, isExact) ?? []);
      if (untried) return { suggestions: chosen };
      const until = place.now() + LOOKING_MS;
      const suggestions: Suggestion[] = [];
      for (const one of chosen)
        suggestions.push(place.now() < until ? ((await inbox.look?.(one)) ?? one) : one);
      return { suggestions };
    },
    view({ suggestions }, { paint }) {
      if (suggestions.length === 0)
        return [
          "No pending suggestions.",
          {
            next: [
              ["continuo init", "Suggest the instructions of CLAUDE.md and AGENTS.md"],
              ["continuo seed show", "Learnings that you accepted"],
            ],
          },
        ];
      const ids = suggestions.map(({ id }) => ({ session: id }));
      return narrow([
        ...suggestions.flatMap((one) => {
          const [first = "", ...more] = describePlaced(one, one.scope);
          const title = `${paint("dim", shortId(one.id, ids))}  ${paint("bold", first)}`;
          return [title, ...more.map((line) => `    ${line}`)];
        }),
        "",
        "To decide: continuo review in a terminal, or continuo review accept|reject ID…",
      ]);
    },
  });

const accept = (open: Open) =>
  action({
    name: "review accept",
    about: "accept suggestions",
    input: fields({
      ids: IDS,
      exact: EXACT,
      text: optional(
        text("accept it with this text instead; of a check: with this pattern", {
          value: "TEXT",
          fallback: "its own",
          most: MOST_CHARACTERS,
          canBeEmpty: true,
        }),
      ),
      scope: optional(
        oneOf("where it holds", ["project", "everywhere"], { fallback: "where it was meant for" }),
      ),
    }),
    examples: [["continuo review accept 3f2a", "accept the suggestion whose id begins like this"]],
    run({ text: own, scope, ...chosen }, place) {
      if (own !== undefined && chosen.ids.length !== 1)
        throw new ContinuoError("usage", "--text changes one suggestion", { hint: "pass exactly one id" });
      return decide(open, "accept", chosen, place, { text: own, scope });
    },
    ...DECISION,
  });

/** A decision that needs no input except the suggestions. */
const plain = (open: Open, what: "reject" | "mute", about: string, example: Example) =>
  action({
    name: `review ${what}`,
    about,
    input: fields({ ids: IDS, exact: EXACT }),
    examples: [example],
    run: (chosen, place) => decide(open, what, chosen, place),
    ...DECISION,
  });

const undo = (open: Open) =>
  action({
    name: "review undo",
    about: "undo the last decision",
    input: fields({
      batch: optional(text("the decision to undo, as its answer named it", { typed: "never", most: 100 })),
    }),
    examples: [["continuo review undo", "the suggestion is pending again"]],
    async run({ batch }, place): Promise<Outcome> {
      const answer = await (await open(place)).withdraw(batch);
      return { answers: [answer], effect: [], guards: await guardsOf(place, answer.done) };
    },
    ...DECISION,
  });

const MOST_ROWS = 500;
const USUAL_ROWS = 50;
/** A batch may contain every suggestion that was accepted at once. */
const MOST_STEPS = 50;

const history = (open: Open) =>
  action({
    name: "review history",
    about: "list what was decided, newest first",
    effect: "reads",
    input: fields({
      offset: optional(whole("leave out this many", 0, 1_000_000, { fallback: "0" })),
      limit: optional(whole("at most this many", 1, MOST_ROWS, { fallback: String(USUAL_ROWS) })),
    }),
    examples: [["continuo review history", "list decisions that were not undone"]],
    async run({ offset = 0, limit = USUAL_ROWS }, place) {
      const all = (await open(place)).past();
      const page = all.slice(offset, offset + limit);
      return {
        decisions: page.map((one) => ({ ...one, steps: one.steps.slice(0, MOST_STEPS) })),
        total: all.length,
      };
    },
    view({ decisions, total }, { now }) {
      if (decisions.length === 0) return ["Nothing was decided."];
      return [
        {
          columns: ["when", "decision", "suggestion"],
          rows: decisions.flatMap(({ at, steps }) =>
            steps.map(({ what, text: said }) => [ago(at, now), what, said]),
          ),
          fit: { wraps: [2] },
        },
        ...(total > decisions.length
          ? [`${count(total, "decision")} in all: --offset and --limit show others.`]
          : []),
        { next: [["continuo review undo", "Undo the last decision"]] },
      ];
    },
  });

interface Chosen {
  readonly ids: readonly string[];
  readonly exact?: boolean | undefined;
}

interface Outcome {
  readonly answers: readonly SuggestionAnswer[];
  /** When accepted suggestions take effect. */
  readonly effect: readonly string[];
  /** What agents need for a check that may refuse tool calls. */
  readonly guards: readonly string[];
}

/** Fields that all decisions share. */
const DECISION = {
  effect: "decides",
  changes: "inbox",
  json: ({ answers }: Outcome) => ({ answers }),
  isBad: ({ answers }: Outcome) => answers.some(({ done }) => !done),
  view: ({ answers, effect, guards }: Outcome): readonly Block[] => [
    ...narrow([...answers.map(({ message }) => message), ...effect]),
    ...guards.map(exact),
  ],
} as const;

async function decide(
  open: Open,
  what: "accept" | "reject" | "mute",
  { ids, exact: isExact }: Chosen,
  place: Place,
  choice: AcceptChoice = {},
): Promise<Outcome> {
  const inbox = await open(place);
  const answers: SuggestionAnswer[] = [];
  const kinds: Suggestion["kind"][] = [];
  for (const typed of ids) {
    const one = chosenBy(inbox.list(), typed, isExact);
    const answer =
      one === undefined
        ? {
            done: false,
            message: isExact ? NOT_PENDING : `No pending suggestion has the id "${oneLine(typed)}".`,
          }
        : await carryOut(inbox, one.id, { do: what, ...choice });
    answers.push(answer);
    if (one !== undefined && answer.done) kinds.push(one.kind);
  }
  const isOfRules = kinds.some((kind) => kind === "check" || kind === "question");
  return {
    answers,
    effect: what === "accept" ? takesEffect(kinds) : [],
    guards: await guardsOf(place, isOfRules),
  };
}

/** An accepted check may refuse tool calls, which hosts must ask about. */
async function guardsOf({ others }: Place, isNeeded: boolean): Promise<readonly string[]> {
  return (isNeeded ? await (await others?.())?.putGuards() : undefined) ?? [];
}

const MIN_TYPED = 4;

/** By id, or by a unique prefix of it. */
function chosenBy(
  pending: readonly Suggestion[],
  typed: string,
  isExact: boolean | undefined,
): Suggestion | undefined {
  const named = pending.find(({ id }) => id === typed);
  if (named !== undefined || isExact || typed.length < MIN_TYPED) return named;
  const begun = pending.filter(({ id }) => id.startsWith(typed));
  return begun.length === 1 ? begun[0] : undefined;
}

const narrow = (lines: readonly string[]): readonly Block[] =>
  lines.map((line) => ({ text: line, isNarrow: true, hang: 2 }));
