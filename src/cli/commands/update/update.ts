import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { version } from "../../../base/version.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action, alone } from "../../../moments/ports/action.ts";
import type { Shown } from "../../../moments/ports/view.ts";
import { type AgentState, agentStates } from "../../../setup/agents.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { readSeen, writeSeen } from "../../../store/seen.ts";
import type { CommandPlace } from "../../actions/as-command.ts";
import { linesOf } from "../../terminal/lines.ts";
import { howToUpdate, installationOf } from "../install/installation.ts";

/** The most changes to show; --all shows the others. */
const MOST = 5;

const update = action({
  name: "update",
  about: "show the version, what changed, and how to update",
  guide:
    "Nothing is downloaded and nothing is changed. The first line says which version runs, how much is new since you last looked, and whether a connected agent needs something. Then come the newest changes and the command that updates this kind of installation.",
  examples: [
    ["continuo update", "what is new, and what to do"],
    ["continuo update --all", "the whole list of changes"],
  ],
  effect: "reads",
  input: fields({
    all: optional(flag("list every change of every version, not only new ones", { short: "a" })),
  }),
  async run({ all: isAll = false }, { home, world }: CommandPlace) {
    const { version: before } = readSeen(home);
    const releases = readChangelog(changelog(world.packageRoot));
    const isNew = before !== undefined && before !== version;
    const changes = isAll ? releases : isNew ? changesSince(releases, before) : [];
    const states = await agentStates(world);
    const installation = installationOf(world.packageRoot);
    writeSeen(home, { version });
    return { before, changes, states, installation, how: howToUpdate(installation), isAll };
  },
  json: ({ before = null, installation, how, changes, states }) => ({
    version,
    before,
    installation,
    update: how.command ?? null,
    changes,
    agents: states
      .filter(needsAttention)
      .map(({ installer, problem, fix }) => ({ host: installer.host, problem, fix })),
  }),
  view: (data, { paint }) => [{ text: textFor(data, paint), hang: 2 }],
});

export const UPDATE = alone("start", update);

const needsAttention = ({ state }: AgentState) => state === "needs attention";

/** Empty if the package is damaged, because the rest of the answer is still useful. */
function changelog(packageRoot: string): string {
  try {
    return readTextIfAny(join(packageRoot, "CHANGELOG.md"), { maxBytes: 4 * 1024 * 1024, cut: true }) ?? "";
  } catch {
    return "";
  }
}

interface Found {
  readonly before: string | undefined;
  readonly changes: readonly Release[];
  readonly states: readonly AgentState[];
  readonly how: ReturnType<typeof howToUpdate>;
  readonly isAll: boolean;
}

function textFor(found: Found, paint: Shown["paint"]): string {
  const { changes, states, how, isAll } = found;
  const most = isAll ? Number.POSITIVE_INFINITY : MOST;
  const all = changes.flatMap((of) => of.entries.map(({ text }) => ({ text, of })));
  return linesOf(
    `${paint("bold", `Continuo ${version}`)}${newsOf(found, all.length)} ${agentsLine(states, paint)}`,
    ...states
      .filter(needsAttention)
      .flatMap(({ installer, problem, fix }) => [
        `  ${paint("yellow", installer.label)}: ${oneLine(problem)}`,
        ...(fix === "" ? [] : [`    To fix: ${paint("cyan", oneLine(fix.replace(/^run: /, "")))}`]),
      ]),
    all.length > 0 && "",
    ...[...Map.groupBy(all.slice(0, most), ({ of }) => of)].flatMap(([of, own]) =>
      releaseLines(of, own, paint),
    ),
    all.length > most && paint("dim", `  and ${all.length - most} more: continuo update --all`),
    "",
    how.command === undefined ? how.what : `To update: ${paint("cyan", how.command)}`,
    how.command !== undefined && paint("dim", `${how.what}. Nothing was looked up on the network.`),
    all.length === 0 && paint("dim", "All changes so far: continuo update --all"),
  ).join("\n");
}

function newsOf({ before, isAll }: Found, changes: number): string {
  if (before === undefined || isAll) return ".";
  if (before === version) return ": nothing new since you last looked.";
  return `: ${changes === 0 ? "new" : count(changes, "change")} since ${oneLine(before)}.`;
}

function agentsLine(states: readonly AgentState[], paint: Shown["paint"]): string {
  const many = states.filter(needsAttention).length;
  if (many > 0) return paint("yellow", `${count(many, "agent")} ${many === 1 ? "needs" : "need"} attention:`);
  if (states.some(({ state }) => state === "connected"))
    return paint("green", "Your connected agents need nothing.");
  return `No agent is connected yet. To connect one: ${paint("cyan", "continuo install")}`;
}

function releaseLines(
  { version: of, date }: Release,
  shown: readonly { readonly text: string }[],
  paint: Shown["paint"],
): string[] {
  const name = of === "Unreleased" ? "Not released yet" : `Version ${of}`;
  return [
    paint("bold", `${name}${date === undefined ? "" : `, ${date}`}`),
    ...shown.map(({ text }) => `  - ${oneLine(headline(text))}`),
  ];
}

/** One version of CHANGELOG.md. */
interface Release {
  /** `0.2.0`, or `Unreleased`. */
  readonly version: string;
  readonly date?: string;
  /** Each entry as one text, with its heading (Added, Fixed …). */
  readonly entries: readonly { readonly kind: string; readonly text: string }[];
}

const VERSION = /^##\s+\[?v?([^\]\s]+)\]?(?:\s*[-–—(]\s*([\d-]{4,10}))?/;

/** Reads the form of keepachangelog.com: `## [version] - date`, `### Added`, items. */
export function readChangelog(text: string): Release[] {
  const releases: { version: string; date?: string; entries: { kind: string; text: string }[] }[] = [];
  let kind = "";
  for (const line of text.split(/\r?\n/)) {
    const [, version, date] = VERSION.exec(line) ?? [];
    const current = releases.at(-1);
    if (version !== undefined) {
      releases.push({ version, date, entries: [] });
      kind = "";
    } else if (/^###\s/.test(line)) kind = line.replace(/^###\s+/, "").trim();
    else if (current !== undefined && /^[-*]\s/.test(line))
      current.entries.push({ kind, text: line.slice(2).trim() });
    else if (/^\s+\S/.test(line)) {
      const last = current?.entries.at(-1);
      if (last !== undefined) last.text += ` ${line.trim()}`;
    }
  }
  return releases;
}

/** What is new for a user who last saw `since`: later versions, and unreleased changes. */
export function changesSince(releases: readonly Release[], since: string | undefined): Release[] {
  const at = releases.findIndex(({ version }) => version === since);
  const newer = at === -1 ? releases.slice(0, firstNumbered(releases) + 1) : releases.slice(0, at);
  return newer.filter(({ entries }) => entries.length > 0);
}

/** Without a last seen version: the newest one, and what comes after it. */
function firstNumbered(releases: readonly Release[]): number {
  return Math.max(
    0,
    releases.findIndex(({ version }) => /^\d/.test(version)),
  );
}

/** The first sentence, without links and emphasis, because an entry may be a long paragraph. */
export function headline(text: string, most = 200): string {
  const plain = text
    .replace(/\s*\(\[[^\]]{1,200}\]\([^)]{0,300}\)\)/g, "")
    .replace(/\[([^\]]{1,200})\]\([^)]{0,300}\)/g, "$1")
    .replace(/\*\*/g, "");
  const [first = plain] = plain.split(/(?<=[.!?])\s+(?=\p{Lu}|`)/u);
  return first.length <= most ? first : `${first.slice(0, most - 1).toWellFormed()}…`;
}
