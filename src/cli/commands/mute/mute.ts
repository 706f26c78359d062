import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { findHome } from "../../../store/home.ts";
import { addMute, isSame, type Mute, readMutes, removeMute } from "../../../store/mutes.ts";
import type { Command, Input } from "../../command.ts";
import { sourceWord } from "../../source-words.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { textOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { stem } from "../rules/choose-rule.ts";
import { nameOf, SCOPE_OPTIONS, scopeOf, scopeText, undoCommand } from "./scope.ts";
import { whatIsMeant } from "./what.ts";

/** What is delivered already is in the conversation, and must not change: it would cost the prompt cache. */
const WHEN = "A running session keeps what it has. From its next compaction on, and in new sessions, it";

export const mute: Command = {
  name: "mute",
  summary: "stop adding a rule, a note or a source",
  usage: "mute WHAT",
  section: "rules",
  guide:
    "Applies to this project unless an option says otherwise. What a running session already received stays in its conversation.",
  options: SCOPE_OPTIONS,
  arguments: {
    WHAT: {
      help: "a rule, a note, a source (rules, notes, profile, sets, sessions), or anything that continuo why shows",
    },
  },
  examples: [
    ["continuo mute profile", "do not add your profile in this project"],
    ["continuo mute tests --here", "leave out the rule in tests.md, only in this session"],
    ["continuo mute sessions --everywhere", "add no past sessions in any project"],
  ],
  async run(input) {
    const named = await whatIsMeant(input, only(input, "mute"));
    const scope = scopeOf(input);
    const made: Mute = { ...named, ...scope, at: new Date(input.now()).toISOString() };
    await addMute(findHome(input.env), made);
    return {
      data: { muted: made },
      text: [
        wrapOn(
          `Muted ${nameOf(made)} ${scopeText(scope, input.cwd)}.\n${WHEN} is left out.`,
          screenOf(input),
        ),
        `Undo: ${paintFor(screenOf(input))("cyan", undoCommand(made))}`,
      ].join("\n"),
    };
  },
};

export const unmute: Command = {
  name: "unmute",
  summary: "undo a mute",
  usage: "unmute WHAT",
  section: "rules",
  isMinor: true,
  options: SCOPE_OPTIONS,
  arguments: {
    WHAT: {
      help: "a rule, a note, a source (rules, notes, profile, sets, sessions), or anything that continuo why shows",
    },
  },
  examples: [
    ["continuo unmute profile", "add it again in this project"],
    ["continuo unmute sessions --everywhere", "undo a mute for all projects"],
  ],
  async run(input) {
    const home = findHome(input.env);
    const said = only(input, "unmute");
    const { mutes } = readMutes(home);
    const isSource = ({ what }: Mute) => sourceWord(what) === said;
    const isMeant = ({ what, title = "" }: Mute) =>
      [what, title].some((one) => one === said || stem(one) === said) ||
      [what, stem(what)].some((one) => one.endsWith(`/${said}`));
    // A source before a rule of the same name, as in `continuo mute`.
    const found = inPlace(input, mutes.some(isSource) ? mutes.filter(isSource) : mutes.filter(isMeant));
    if (found.length === 0)
      throw new ContinuoError("not-muted", `"${oneLine(said)}" is not muted`, {
        hint: mutes.length === 0 ? "nothing is muted" : "what is muted: continuo mutes",
      });
    for (const one of found) await removeMute(home, one);
    return {
      data: { unmuted: found },
      text: wrapOn(
        [
          ...found.map((one) => `Unmuted ${nameOf(one)} ${scopeText(one, input.cwd)}.`),
          "New sessions have it again if it applies, and running ones with their next prompt or compaction.",
          ...found.map((one) => `Undo: ${undoCommand(one, "mute")}`),
        ].join("\n"),
        screenOf(input),
      ),
    };
  },
};

export const mutesCommand: Command = {
  name: "mutes",
  summary: "list what is muted, and where",
  usage: "mutes",
  section: "rules",
  isMinor: true,
  options: {},
  examples: [["continuo mutes", "list everything that is muted, with the command that undoes it"]],
  run(input) {
    const { env, cwd, now } = input;
    const screen = screenOf(input);
    const { mutes, damage } = readMutes(findHome(env));
    const problem = damage === undefined ? [] : [damage.message, `  -> ${damage.hint}`];
    const rows = mutes.map((one) => [
      paintFor(screen)("bold", one.title ?? sourceWord(one.what)),
      scopeText(one, cwd),
      ago(one.at, now()),
      sourceWord(one.what),
    ]);
    const [first] = mutes;
    const list =
      rows.length === 0
        ? ["Nothing is muted.", ...nextSteps(screen, ["continuo why", "What is added, and could be muted"])]
        : [
            table(["muted", "where", "since", "name"], rows, screen, { flexible: [0, 1, 3], optional: [3] }),
            ...nextSteps(screen, first && [undoCommand(first), "Undo the first"]),
          ];
    return {
      data: { mutes, ...(damage === undefined ? {} : { problem: damage.message }) },
      text: [...problem.map((line) => wrapOn(line, screen)), ...list].join("\n"),
    };
  },
};

/** Those in the named place. Without one: that of this project, else the only one. */
function inPlace(input: Input, named: readonly Mute[]): readonly Mute[] {
  const session = textOption(input, "session");
  const host = textOption(input, "host");
  // As it is in the mute: the session may be one that nothing else is known of.
  if (session !== undefined)
    return named.filter(
      (one) => one.in === "session" && one.session === session && (host === undefined || one.host === host),
    );
  const isScoped = input.values["here"] === true || input.values["everywhere"] === true;
  const scope = scopeOf(input);
  const found = named.filter((one) => isSame(one, { ...scope, what: one.what }));
  if (isScoped || found.length > 0) return found;
  if (named.length < 2) return named;
  throw new ContinuoError("usage", "it is muted in several places, but not in this project", {
    hint: named.map((one) => `${scopeText(one, input.cwd)}: ${undoCommand(one)}`).join("; "),
  });
}

const screenOf = ({ screen = PLAIN }: Input): Screen => screen;

function only({ positionals }: Input, name: string): string {
  const said = positionals.join(" ").trim();
  if (said !== "") return said;
  throw new ContinuoError("usage", "WHAT is missing", {
    hint: `usage: continuo ${name} WHAT (a source, a rule, or something that continuo why shows)`,
  });
}
