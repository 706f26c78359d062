import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { version } from "../../../base/version.ts";
import { count } from "../../../base/when.ts";
import { type AgentState, agentStates } from "../../../setup/agents.ts";
import { findHome } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { readSeen, writeSeen } from "../../../store/seen.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { linesOf } from "../../terminal/lines.ts";
import { exactly } from "../../terminal/options.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { howToUpdate, installationOf } from "../install/installation.ts";

/** The most changes to show; --all shows the others. */
const MOST = 5;

export const updateCommand: Command = {
  name: "update",
  summary: "show the version, what changed, and how to update",
  usage: "update [--all]",
  section: "start",
  guide:
    "Nothing is downloaded and nothing is changed. The first line says which version runs, how much is new since you last looked, and whether a connected agent needs something. Then come the newest changes and the command that updates this kind of installation.",
  options: {
    all: { type: "boolean", short: "a", help: "list every change of every version, not only new ones" },
  },
  examples: [
    ["continuo update", "what is new, and what to do"],
    ["continuo update --all", "the whole list of changes"],
  ],
  run,
};

async function run(input: Input): Promise<Outcome> {
  exactly(input, 0, "update");
  const home = findHome(input.env);
  const seen = readSeen(home);
  const isAll = input.values["all"] === true;
  const releases = readChangelog(changelog(input.packageRoot));
  const isNew = seen.version !== undefined && seen.version !== version;
  const changes = isAll ? releases : isNew ? changesSince(releases, seen.version) : [];
  const states = await agentStates(input);
  const agents = states.filter(({ state }) => state === "needs attention");
  const isConnected = states.some(({ state }) => state === "connected");
  const installation = installationOf(input.packageRoot);
  const how = howToUpdate(installation);
  writeSeen(home, { version });
  return {
    data: {
      version,
      before: seen.version ?? null,
      installation,
      update: how.command ?? null,
      changes,
      agents: agents.map(({ installer, problem, fix }) => ({ host: installer.host, problem, fix })),
    },
    text: textFor(input, { before: seen.version, changes, agents, isConnected, how, isAll }),
  };
}

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
  readonly agents: readonly AgentState[];
  readonly isConnected: boolean;
  readonly how: ReturnType<typeof howToUpdate>;
  readonly isAll: boolean;
}

function textFor(input: Input, found: Found): string {
  const { changes, agents, how, isAll } = found;
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  const most = isAll ? Number.POSITIVE_INFINITY : MOST;
  const all = changes.flatMap(({ version: of, entries }) => entries.map((one) => ({ ...one, of })));
  const lines = linesOf(
    `${paint("bold", `Continuo ${version}`)}${newsOf(found, all.length)} ${agentsLine(found, paint)}`,
    ...agents.flatMap(({ installer, problem, fix }) => [
      `  ${paint("yellow", installer.label)}: ${oneLine(problem)}`,
      ...(fix === "" ? [] : [`    To fix: ${paint("cyan", oneLine(fix.replace(/^run: /, "")))}`]),
    ]),
    all.length > 0 && "",
    ...changes.flatMap((release) => releaseLines(release, all.slice(0, most), paint)),
    all.length > most && paint("dim", `  and ${all.length - most} more: continuo update --all`),
    "",
    how.command === undefined ? how.what : `To update: ${paint("cyan", how.command)}`,
    how.command !== undefined && paint("dim", `${how.what}. Nothing was looked up on the network.`),
    all.length === 0 && paint("dim", "All changes so far: continuo update --all"),
  );
  return wrapOn(lines.join("\n"), screen, { hang: 2 });
}

function newsOf({ before, isAll }: Found, changes: number): string {
  if (before === undefined || isAll) return ".";
  if (before === version) return ": nothing new since you last looked.";
  return `: ${changes === 0 ? "new" : count(changes, "change")} since ${oneLine(before)}.`;
}

function agentsLine({ agents, isConnected }: Found, paint: Paint): string {
  if (agents.length > 0)
    return paint(
      "yellow",
      `${count(agents.length, "agent")} ${agents.length === 1 ? "needs" : "need"} attention:`,
    );
  if (isConnected) return paint("green", "Your connected agents need nothing.");
  return `No agent is connected yet. To connect one: ${paint("cyan", "continuo install")}`;
}

function releaseLines(
  { version: of, date, entries }: Release,
  shown: readonly { readonly text: string; readonly of: string }[],
  paint: Paint,
): string[] {
  const texts = new Set(shown.filter((one) => one.of === of).map(({ text }) => text));
  const own = entries.filter(({ text }) => texts.has(text));
  if (own.length === 0) return [];
  const name = of === "Unreleased" ? "Not released yet" : `Version ${of}`;
  return [
    paint("bold", `${name}${date === undefined ? "" : `, ${date}`}`),
    ...own.map(({ text }) => `  - ${oneLine(headline(text))}`),
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
