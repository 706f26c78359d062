import { oneLine } from "../../../base/for-terminal.ts";
import { version } from "../../../base/version.ts";
import { ago, count } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Seen } from "../../../store/seen.ts";
import type { Input } from "../../command.ts";
import { linesOf } from "../../terminal/lines.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import type { Found, FoundAgent, NoteFolder } from "./found.ts";
import type { Try } from "./try-it.ts";

type Where = Pick<Input, "screen" | "env" | "now">;

export function title(input: Where): string {
  const paint = paintOf(input);
  return `${paint("bold", `Continuo ${version}`)} makes your coding agents remember your rules, notes and past sessions.`;
}

/** What was found on this machine. */
export function foundText(input: Where, found: Found, program: string): string {
  const screen = input.screen ?? PLAIN;
  const paint = paintOf(input);
  const agents = table(
    ["agent", "version", "past sessions", "state"],
    found.agents.map((agent) => [
      agent.installer.label,
      agent.version ?? agent.noVersion ?? "",
      agent.sessions === 0 ? "" : String(agent.sessions),
      stateOf(agent, paint),
    ]),
    screen,
    { optional: [1] },
  );
  const none = `No agent was found: neither Claude Code, OpenCode, pi, Codex, Copilot CLI nor Gemini CLI is on this machine. Install one, then run ${program} again.`;
  const lines = [
    `  Rules   ${ruleText(found)}`,
    `  Notes   ${found.read.length === 0 ? "none yet" : found.read.map((one) => folderText(one, input)).join(", ")}`,
    ...found.vaults.flatMap((one) => [
      `  Vault   ${folderText(one, input)}: an Obsidian vault that is not read yet`,
      `          To use it: ${paint("cyan", `${program} memory add ${quoted(shortPath(one.path, input.env))}`)}`,
    ]),
    ...found.agents
      .filter(({ state }) => state === "needs attention")
      .map(({ installer, problem, fix }) => `  ${installer.label}: ${oneLine(`${problem}. ${fix}`)}`),
  ];
  // Wrapped here, because the text after it is indented further.
  const head = found.agents.length === 0 ? wrapOn(none, screen) : agents;
  return `${head}\n\n${lines.join("\n")}`;
}

/** The second time: a few lines. */
export function stateText(input: Where, found: Found, seen: Seen, indexed: number): string {
  const paint = paintOf(input);
  const connected = found.agents.filter(({ state }) => state === "connected").map(labelOf);
  const notes = notesIn(found);
  const since =
    seen.welcomedAt === undefined ? "" : ` since you last ran this (${ago(seen.welcomedAt, input.now())})`;
  const fresh = [
    ...(indexed > (seen.sessions ?? indexed) ? [count(indexed - (seen.sessions ?? 0), "session")] : []),
    ...(notes > (seen.notes ?? notes) ? [count(notes - (seen.notes ?? 0), "note")] : []),
  ];
  const off = found.agents.filter(({ state, isFound }) => state === "not connected" && isFound);
  const bad = found.agents.filter(({ state }) => state === "needs attention");
  return linesOf(
    `  Connected  ${connected.length === 0 ? "no agent yet" : paint("green", connected.join(", "))}`,
    off.length > 0 &&
      `  Not yet    ${off.map(({ installer }) => `${installer.label}: ${paint("cyan", `continuo install ${installer.host}`)}`).join(", ")}`,
    ...bad.map(
      ({ installer, problem }) =>
        `  ${paint("yellow", "Problem")}    ${installer.label}: ${oneLine(problem)} (${paint("cyan", "continuo doctor")})`,
    ),
    `  Knows      ${count(indexed, "past session")}, ${count(notes, "note")}, ${count(found.rules.project + found.rules.own, "rule")} here`,
    fresh.length > 0 && `  New        ${fresh.join(", ")}${since}`,
  ).join("\n");
}

export function triesText(input: Where, tries: readonly Try[]): string {
  const paint = paintOf(input);
  return [
    paint("bold", "Try this now"),
    ...tries.flatMap(({ command, what }) => [
      `  ${paint("cyan", command)}`,
      wrapOn(`    ${what}`, input.screen ?? PLAIN),
    ]),
  ].join("\n");
}

export function undoText(input: Where, program: string): string {
  const paint = paintOf(input);
  return `${paint("dim", "To undo everything:")} ${paint("cyan", `${program} uninstall --all`)} ${paint("dim", "(your data stays; --data deletes it too)")}`;
}

export function notesIn({ read }: Found): number {
  return read.reduce((sum, { notes }) => sum + notes, 0);
}

const paintOf = ({ screen }: Where): Paint => paintFor(screen ?? PLAIN);
const labelOf = ({ installer }: FoundAgent): string => installer.label;

function stateOf({ state, isFound }: FoundAgent, paint: Paint): string {
  if (!isFound && state === "not connected") return paint("dim", "not installed");
  return paint(state === "connected" ? "green" : state === "not connected" ? "dim" : "yellow", state);
}

function ruleText({ rules: { project, own } }: Found): string {
  if (project + own === 0) return "none yet";
  return linesOf(
    project > 0 && `${project} of this project`,
    own > 0 && `${own} of your own for all projects`,
  ).join(", ");
}

function folderText({ path, notes, isMore }: NoteFolder, { env }: Where): string {
  return `${isMore ? `more than ${notes}` : notes} in ${oneLine(shortPath(path, env))}`;
}

/** Quotes a path with a space, but lets the shell expand the tilde. */
function quoted(path: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(path)) return oneLine(path);
  const [, tilde = "", rest = path] = /^(~\/)?(.*)$/s.exec(path) ?? [];
  return `${tilde}'${oneLine(rest).replaceAll("'", "'\\''")}'`;
}
