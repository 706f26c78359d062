import { oneLine } from "../../../base/for-terminal.ts";
import { count, grouped } from "../../../base/when.ts";
import type { Composition, DeliveredItem } from "../../../compose/compose.ts";
import type { Room } from "../../../compose/room.ts";
import { costOf } from "../../../moments/given/cost.ts";
import { type Block, exact, type Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import { sourceWord } from "../../../moments/source-words.ts";
import type { Project } from "../../../moments/types.ts";
import type { WiredHost } from "../../../setup/inspect.ts";
import type { Config } from "../../../store/config.ts";

export interface WaitingRule {
  readonly name: string;
  readonly path: string;
  readonly waitsFor: string;
}

export interface Preview {
  readonly project: Project;
  readonly host: string;
  readonly made: Composition;
  readonly config: Config;
  readonly problems: readonly string[];
  readonly room: Room | undefined;
  readonly waiting: readonly WaitingRule[];
  readonly wired: readonly WiredHost[];
  /** Whether the host was named on the command line. */
  readonly isAsked: boolean;
  /** Set if the sample project is shown because this folder has nothing to show. */
  readonly emptyRoot?: string;
}

export function toJson(shown: Preview) {
  const { project, host, made, config, problems, room, waiting, wired, emptyRoot } = shown;
  return {
    project,
    host,
    hosts: wired.map(({ name }) => name),
    isSample: emptyRoot !== undefined,
    text: made.text,
    tokens: made.tokens,
    fingerprint: made.fingerprint,
    limit: config.tokenLimit,
    rulesLimit: config.rulesLimit,
    snapshotAim: config.snapshotAim,
    room,
    parts: made.parts.map((part) => ({ text: part.text, tokens: part.tokens })),
    items: made.items,
    dropped: made.dropped.map((item) => ({ ...item, bound: boundOf(item, shown) })),
    waiting,
    trouble: problems,
  };
}

export function report(all: Preview, shown: Shown): Block[] {
  const { project, made, problems, wired, emptyRoot } = all;
  const { env, paint } = shown;
  const path = (at: string) => oneLine(shortPath(at, env));
  const isEmpty = made.text === "" || emptyRoot !== undefined;
  const steps = [
    isEmpty && (['continuo rules add "…"', "Add a rule for your project"] as const),
    wired.length === 0 && (["continuo install", "Connect an agent"] as const),
    !isEmpty && (["continuo rules list", "All rules, and why they apply"] as const),
    made.dropped.length > 0 && (["continuo config", "Change the limits"] as const),
  ];
  return [
    ...(emptyRoot === undefined
      ? []
      : [
          `There are no rules in ${path(emptyRoot)} yet. This is the sample project that comes with Continuo:`,
          exact(`  ${path(project.root)}`),
          "",
        ]),
    ...contents(all, shown),
    ...waitingLines(all),
    ...problems.map((one) => ({ text: `${paint("red", "Problem")}: ${oneLine(one)}`, hang: 2 })),
    "",
    ...hostLines(all),
    "No session was started, no model was called, nothing was sent.",
    { next: steps.filter((step) => step !== false) },
  ];
}

function contents(all: Preview, { env, paint }: Shown): Block[] {
  const { project, host, made, config, wired } = all;
  const label = wired.find((one) => one.name === host)?.label ?? host;
  const session = host === "cli" ? "new session" : `new session of ${label}`;
  const where = oneLine(`${project.label} (${shortPath(project.root, env)})`);
  const left = made.dropped.map(
    (item) => `  left out: ${oneLine(item.name)} (${count(item.tokens, "token")}); ${limitText(item, all)}`,
  );
  if (made.text === "" && left.length > 0)
    return [`A ${session} in ${where} would get nothing, because nothing fits:`, ...left];
  if (made.text === "")
    return [`A ${session} in ${where} would get nothing and cost no tokens: ${whyNothing(all)}.`];
  return [
    `A ${session} in ${where} would get exactly this before its first answer:`,
    "",
    // Wrapped for a user; a file gets the exact text.
    made.text,
    "",
    paint("bold", "Where it comes from"),
    {
      columns: ["source", "item", "tokens", "why"],
      rows: made.items.map(({ source, name, tokens, reason }) => [
        sourceWord(source),
        name,
        String(tokens),
        shortPaths(reason, project.root, env),
      ]),
      fit: { wraps: [3], flexible: 1, optional: [0] },
    },
    ...left,
    "",
    ...partsLine(all),
    `Cost: ${costOf(made.tokens)}, with headings`,
    limits(config),
  ];
}

/** "Nothing applies" is said only if everything was checked. */
function whyNothing({ config, problems }: Preview): string {
  if (config.tokenLimit === 0) return "tokenLimit is 0, which turns everything off";
  return problems.length > 0 ? "see below" : "no rule or note applies";
}

/** How large it can become. */
function limits({ rulesLimit, snapshotAim, tokenLimit }: Config): string {
  const [rules, others] = [rulesLimit, Math.min(snapshotAim, tokenLimit)].map(grouped);
  return `Limits: ${rules} tokens for rules and learnings, ${others} for everything else (fewer if the rules are long). Change them: continuo config`;
}

/** What keeps an item out, and the command that explains the setting. */
function limitText(item: DeliveredItem, shown: Preview): string {
  const setting = settingOf(item, shown);
  return setting === undefined
    ? boundOf(item, shown)
    : `the limit is ${grouped(Number(shown.config[setting]))} tokens: continuo config ${setting}`;
}

/** The setting, or the host's property, that keeps an item out. */
function boundOf(item: DeliveredItem, shown: Preview): string {
  const { config, room } = shown;
  const setting = settingOf(item, shown);
  return setting === undefined
    ? `this agent shows ${room?.most ?? 0} ${room?.unit ?? "characters"} of one hook output, in at most ${room?.parts ?? 1} parts`
    : `${setting} is ${config[setting]}`;
}

function settingOf(
  { bound }: DeliveredItem,
  { config }: Preview,
): "snapshotAim" | "tokenLimit" | "rulesLimit" | undefined {
  if (bound === "room") return undefined;
  if (bound === "aim") return "snapshotAim";
  const isForAll = config.tokenLimit === 0 || config.rulesLimit === config.tokenLimit;
  return bound === "others" || isForAll ? "tokenLimit" : "rulesLimit";
}

/** How the text is split if it is too long for one hook output. */
function partsLine({ made: { parts }, room }: Preview): string[] {
  if (room === undefined || parts.length < 2) return [];
  return [
    `Delivered in ${parts.length} parts, because this agent shows ${room.most} ${room.unit} of one hook output: as many as it has hook entries before the first answer, the rest with the next prompts and tool calls.`,
  ];
}

const SHOWN_WAITING = 20;

function waitingLines({ waiting }: Preview): Block[] {
  if (waiting.length === 0) return [];
  const more = waiting.length - SHOWN_WAITING;
  return [
    "",
    "Rules that are given later, when their condition is met:",
    ...waiting
      .slice(0, SHOWN_WAITING)
      .map((rule) => ({ text: `  ${oneLine(`${rule.name}: ${rule.waitsFor}`)}`, hang: 2 })),
    ...(more > 0 ? [`  and ${more} more: continuo rules list`] : []),
  ];
}

/** Which host this is for, unless the user named it or there is only one. */
function hostLines({ wired, isAsked }: Preview): string[] {
  if (isAsked) return [];
  const [first, ...others] = wired;
  if (first === undefined)
    return [
      "No agent is connected yet, so this is what any agent would get. Some agents show less at once: --host AGENT applies the limits of one.",
    ];
  if (others.length === 0) return [];
  const names = wired.map((one) => `${one.label} (--host ${one.name})`).join(", ");
  return [`Shown for ${first.label}. Connected: ${names}.`];
}
