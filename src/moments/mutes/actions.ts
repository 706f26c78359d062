import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import { withoutRuleExtension } from "../../base/slug.ts";
import { ago } from "../../base/when.ts";
import { addMute, isSame, type Mute, readMutes, removeMute } from "../../store/mutes.ts";
import { fields, optional, text } from "../actions/fields.ts";
import { action, alone, type Place } from "../ports/action.ts";
import { sourceWord } from "../source-words.ts";
import { nameOf, SCOPE_FIELDS, scopeOf, scopeText, undoCommand, type WantedScope } from "./scope.ts";
import { whatIsMeant } from "./what.ts";

/** Delivered text stays in the conversation: removing it would invalidate the prompt cache. */
const WHEN = "A running session keeps what it has. From its next compaction on, and in new sessions, it";

const WHAT = text(
  "a rule, a note, a source (rules, notes, profile, sets, sessions), or anything that continuo why shows",
  { typed: "rest" },
);

const mute = action({
  name: "mute",
  about: "stop adding a rule, a note or a source",
  guide:
    "Applies to this project unless an option says otherwise. What a running session already received stays in its conversation.",
  examples: [
    ["continuo mute profile", "do not add your profile in this project"],
    ["continuo mute tests --here", "leave out the rule in tests.md, only in this session"],
    ["continuo mute sessions --everywhere", "add no past sessions in any project"],
  ],
  effect: "decides",
  changes: "rules",
  input: fields({
    what: WHAT,
    ...SCOPE_FIELDS,
    title: optional(text("what people call it", { typed: "never", most: 300 })),
  }),
  async run({ what, title, ...where }, place) {
    const named = await whatIsMeant(what, place);
    const scope = scopeOf(where, place);
    const at = new Date(place.now()).toISOString();
    const muted: Mute = { ...named, ...(title !== undefined && { title }), ...scope, at };
    await addMute(place.home, muted);
    return { muted };
  },
  view: ({ muted }, { cwd, paint }) => [
    `Muted ${nameOf(muted)} ${scopeText(muted, cwd)}.\n${WHEN} is left out.`,
    { text: `Undo: ${paint("cyan", undoCommand(muted))}`, isExact: true },
  ],
});

const unmute = action({
  name: "unmute",
  about: "undo a mute",
  examples: [
    ["continuo unmute profile", "add it again in this project"],
    ["continuo unmute sessions --everywhere", "undo a mute for all projects"],
  ],
  effect: "decides",
  changes: "rules",
  input: fields({ what: WHAT, ...SCOPE_FIELDS }),
  async run({ what, ...where }, place) {
    const { mutes } = readMutes(place.home);
    const isSource = (one: Mute) => sourceWord(one.what) === what;
    const named = mutes.some(isSource) ? mutes.filter(isSource) : mutes.filter((one) => isMeant(one, what));
    // As in `mute`, a source takes precedence over a rule of the same name.
    const unmuted = inPlace(where, place, named);
    if (unmuted.length === 0)
      throw new ContinuoError("not-muted", `"${oneLine(what)}" is not muted`, {
        hint: mutes.length === 0 ? "nothing is muted" : "what is muted: continuo mutes",
      });
    for (const one of unmuted) await removeMute(place.home, one);
    return { unmuted };
  },
  view: ({ unmuted }, { cwd }) => [
    ...unmuted.map((one) => `Unmuted ${nameOf(one)} ${scopeText(one, cwd)}.`),
    "New sessions have it again if it applies, and running ones with their next prompt or compaction.",
    ...unmuted.map((one) => `Undo: ${undoCommand(one, "mute")}`),
  ],
});

const mutes = action({
  name: "mutes",
  about: "list what is muted, and where",
  examples: [["continuo mutes", "list everything that is muted, with the command that undoes it"]],
  effect: "reads",
  input: fields({}),
  run: (_input, { home }) => readMutes(home),
  json: ({ mutes: all, damage }) => ({
    mutes: all,
    ...(damage !== undefined && { problem: damage.message }),
  }),
  view({ mutes: all, damage }, { cwd, now, paint }) {
    const problem = damage === undefined ? [] : [damage.message, `  -> ${damage.hint}`];
    const [first] = all;
    if (first === undefined)
      return [
        ...problem,
        "Nothing is muted.",
        { next: [["continuo why", "What is added, and could be muted"]] },
      ];
    const rows = all.map((one) => [
      paint("bold", one.title ?? sourceWord(one.what)),
      scopeText(one, cwd),
      ago(one.at, now),
      sourceWord(one.what),
    ]);
    return [
      ...problem,
      {
        columns: ["muted", "where", "since", "name"],
        rows,
        fit: { flexible: [0, 1, 3], optional: [3] },
      },
      { next: [[undoCommand(first), "Undo the first"]] },
    ];
  },
});

/** Whether the user may mean this mute: by its name, its file's name, or the end of its key. */
function isMeant({ what, title = "" }: Mute, said: string): boolean {
  return (
    [what, title].some((one) => one === said || withoutRuleExtension(one) === said) ||
    [what, withoutRuleExtension(what)].some((one) => one.endsWith(`/${said}`))
  );
}

/** The mutes in the named place. Without one: that of this project, else the only one. */
function inPlace(wanted: WantedScope, place: Place, named: readonly Mute[]): readonly Mute[] {
  const { session, host } = wanted;
  // Compared with the id in the mute, because the session itself may not exist any more.
  if (session !== undefined)
    return named.filter(
      (one) => one.in === "session" && one.session === session && (host === undefined || one.host === host),
    );
  const isScoped = wanted.here === true || wanted.everywhere === true || wanted.project !== undefined;
  const scope = scopeOf(wanted, place);
  const found = named.filter((one) => isSame(one, { ...scope, what: one.what }));
  if (isScoped || found.length > 0) return found;
  if (named.length < 2) return named;
  throw new ContinuoError("usage", "it is muted in several places, but not in this project", {
    hint: named.map((one) => `${scopeText(one, place.cwd)}: ${undoCommand(one)}`).join("; "),
  });
}

export const MUTE_GROUPS = [alone("rules", mute), alone("rules", unmute, true), alone("rules", mutes, true)];
