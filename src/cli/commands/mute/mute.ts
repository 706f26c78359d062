import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findHome } from "../../../store/home.ts";
import { addMute, isSame, type Mute, readMutes, removeMute } from "../../../store/mutes.ts";
import type { Command, Input } from "../../command.ts";
import { textOption } from "../../terminal/options.ts";
import { table } from "../../terminal/table.ts";
import { stem } from "../rules/choose-rule.ts";
import { nameOf, SCOPE_OPTIONS, scopeOf, scopeText, undoCommand } from "./scope.ts";
import { whatIsMeant } from "./what.ts";

/** What is delivered already is in the conversation, and must not change: it would cost the prompt cache. */
const WHEN =
  "What a running session was given stays in its conversation. The next start, compaction or addition";

export const mute: Command = {
  name: "mute",
  summary: "stop adding a source, a rule or a note to sessions",
  usage: "mute WHAT [--here | --everywhere]",
  group: "muting",
  options: SCOPE_OPTIONS,
  async run(input) {
    const named = await whatIsMeant(input, only(input, "mute"));
    const scope = scopeOf(input);
    const made: Mute = { ...named, ...scope, at: new Date(input.now()).toISOString() };
    await addMute(findHome(input.env), made);
    return {
      data: { muted: made },
      text: `Muted ${nameOf(made)} ${scopeText(scope, input.cwd)}.\n${WHEN} leaves it out.\nUndo: ${undoCommand(made)}`,
    };
  },
};

export const unmute: Command = {
  name: "unmute",
  summary: "undo a mute",
  usage: "unmute WHAT [--here | --everywhere]",
  group: "muting",
  options: SCOPE_OPTIONS,
  async run(input) {
    const home = findHome(input.env);
    const said = only(input, "unmute");
    const { mutes } = readMutes(home);
    const isMeant = ({ what, title = "" }: Mute) =>
      [what, title].some((one) => one === said || stem(one) === said) ||
      [what, stem(what)].some((one) => one.endsWith(`/${said}`));
    const found = inPlace(input, mutes.filter(isMeant));
    if (found.length === 0)
      throw new ContinuoError("not-muted", `"${oneLine(said)}" is not muted`, {
        hint: mutes.length === 0 ? "nothing is muted" : "what is muted: continuo mutes",
      });
    for (const one of found) await removeMute(home, one);
    return {
      data: { unmuted: found },
      text: [
        ...found.map((one) => `Unmuted ${nameOf(one)} ${scopeText(one, input.cwd)}.`),
        `${WHEN} has it again, if it applies.`,
      ].join("\n"),
    };
  },
};

export const mutesCommand: Command = {
  name: "mutes",
  summary: "list what is muted, and where",
  usage: "mutes",
  group: "muting",
  options: {},
  run({ env, cwd }) {
    const { mutes, damage } = readMutes(findHome(env));
    const problem = damage === undefined ? [] : [damage.message, `  -> ${damage.hint}`];
    const rows = mutes.map((one) => [one.what, one.title ?? "", scopeText(one, cwd), one.at.slice(0, 10)]);
    const list =
      rows.length === 0 ? ["Nothing is muted."] : [table(["muted", "title", "where", "since"], rows)];
    return {
      data: { mutes, ...(damage === undefined ? {} : { problem: damage.message }) },
      text: [...problem, ...list].join("\n"),
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
  throw new ContinuoError("usage", "it is muted in several places, none of them this project", {
    hint: named.map((one) => `${scopeText(one, input.cwd)}: ${undoCommand(one)}`).join("; "),
  });
}

function only({ positionals }: Input, name: string): string {
  const said = positionals.join(" ").trim();
  if (said !== "") return said;
  throw new ContinuoError("usage", "WHAT is missing", {
    hint: `usage: continuo ${name} WHAT (a source, a rule, or something that continuo why shows)`,
  });
}
