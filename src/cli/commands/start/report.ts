import { oneLine } from "../../../base/for-terminal.ts";
import { count, grouped } from "../../../base/when.ts";
import type { Composition, DeliveredItem } from "../../../compose/compose.ts";
import type { Room } from "../../../compose/room.ts";
import { costOf } from "../../../moments/given/cost.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import { sourceWord } from "../../../moments/source-words.ts";
import type { Project } from "../../../moments/types.ts";
import type { WiredHost } from "../../../setup/inspect.ts";
import type { Config } from "../../../store/config.ts";
import type { Input, Outcome } from "../../command.ts";
import { linesOf } from "../../terminal/lines.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";

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
}

type Reader = Pick<Input, "screen" | "env">;

/** `emptyRoot`: set if the sample project is shown because this folder has nothing to show. */
export function report(shown: Preview, { screen = PLAIN, env }: Reader, emptyRoot?: string): Outcome {
  const { project, host, made, config, problems, room, waiting, wired } = shown;
  const path = (at: string) => oneLine(shortPath(at, env));
  const dropped = made.dropped.map((item) => ({ ...item, bound: boundOf(item, shown) }));
  const data = {
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
    dropped,
    waiting,
    trouble: problems,
  };
  const paint = paintFor(screen);
  const lines = linesOf(
    emptyRoot !== undefined && [
      wrapOn(
        `There are no rules in ${path(emptyRoot)} yet. This is the sample project that comes with Continuo:`,
        screen,
      ),
      `  ${path(project.root)}`,
      "",
    ],
    ...contents(shown, screen, env),
    ...waitingLines(waiting, screen),
    ...problems.map((one) => wrapOn(`${paint("red", "Problem")}: ${oneLine(one)}`, screen, { hang: 2 })),
    "",
    ...hostLines(shown).map((line) => wrapOn(line, screen)),
    wrapOn("No session was started, no model was called, nothing was sent.", screen),
  );
  const isEmpty = made.text === "" || emptyRoot !== undefined;
  const steps = nextSteps(
    screen,
    isEmpty ? ['continuo rules add "…"', "Add a rule for your project"] : undefined,
    wired.length === 0 ? ["continuo install", "Connect an agent"] : undefined,
    isEmpty ? undefined : ["continuo rules list", "All rules, and why they apply"],
    made.dropped.length > 0 ? ["continuo config", "Change the limits"] : undefined,
  );
  return { data, text: [...lines, ...steps].join("\n") };
}

function contents(shown: Preview, screen: Screen, env: NodeJS.ProcessEnv): string[] {
  const paint = paintFor(screen);
  const wrapped = (text: string) => wrapOn(text, screen);
  const { project, host, made, config, room, wired } = shown;
  const label = wired.find((one) => one.name === host)?.label ?? host;
  const session = host === "cli" ? "new session" : `new session of ${label}`;
  const where = oneLine(`${project.label} (${shortPath(project.root, env)})`);
  const left = made.dropped.map(
    (item) => `  left out: ${oneLine(item.name)} (${count(item.tokens, "token")}); ${limitText(item, shown)}`,
  );
  if (made.text === "" && left.length > 0)
    return [
      wrapped(`A ${session} in ${where} would get nothing, because nothing fits:`),
      ...left.map(wrapped),
    ];
  if (made.text === "")
    return [wrapped(`A ${session} in ${where} would get nothing and cost no tokens: ${whyNothing(shown)}.`)];
  return [
    wrapped(`A ${session} in ${where} would get exactly this before its first answer:`),
    "",
    // Wrapped for a user; a file gets the exact text.
    wrapped(made.text),
    "",
    paint("bold", "Where it comes from"),
    table(
      ["source", "item", "tokens", "why"],
      made.items.map((item) => [
        sourceWord(item.source),
        item.name,
        String(item.tokens),
        shortPaths(item.reason, project.root, env),
      ]),
      screen,
      { wraps: [3], flexible: 1, optional: [0] },
    ),
    ...left.map(wrapped),
    "",
    ...partsLine(made, room).map(wrapped),
    wrapped(`Cost: ${costOf(made.tokens)}, with headings`),
    wrapped(limits(config)),
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
function partsLine({ parts }: Composition, room: Room | undefined): string[] {
  if (room === undefined || parts.length < 2) return [];
  return [
    `Delivered in ${parts.length} parts, because this agent shows ${room.most} ${room.unit} of one hook output: as many as it has hook entries before the first answer, the rest with the next prompts and tool calls.`,
  ];
}

const SHOWN_WAITING = 20;

function waitingLines(waiting: readonly WaitingRule[], screen: Screen): string[] {
  if (waiting.length === 0) return [];
  const more = waiting.length - SHOWN_WAITING;
  return [
    "",
    "Rules that are given later, when their condition is met:",
    ...waiting
      .slice(0, SHOWN_WAITING)
      .map((rule) => wrapOn(`  ${oneLine(`${rule.name}: ${rule.waitsFor}`)}`, screen, { hang: 2 })),
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
