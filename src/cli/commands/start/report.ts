import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { Composition, DeliveredItem } from "../../../compose/compose.ts";
import type { Room } from "../../../compose/room.ts";
import type { Project } from "../../../moments/types.ts";
import type { Config } from "../../../store/config.ts";
import type { Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import type { WiredHost } from "./wired-hosts.ts";

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
  /** The host was named on the command line. */
  readonly isAsked: boolean;
}

/** `emptyRoot`: the sample project is shown, because there is nothing to show for this folder. */
export function report(shown: Preview, emptyRoot?: string): Outcome {
  const { project, host, made, config, problems, room, waiting, wired } = shown;
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
    ...(room === undefined ? {} : { room }),
    parts: made.parts.map((part) => ({ text: part.text, tokens: part.tokens })),
    items: made.items,
    dropped,
    waiting,
    trouble: problems,
  };
  const lines = [
    ...(emptyRoot === undefined
      ? []
      : [
          `There are no rules in ${emptyRoot} yet. This is the sample project that comes with Continuo:`,
          `  ${project.root}`,
          "",
        ]),
    ...contents(shown),
    ...waitingLines(waiting),
    ...problems.map((one) => `Problem: ${one}`),
    "",
    ...hostLines(shown),
    "No session was started, no model was called, nothing was sent.",
    ...(emptyRoot === undefined
      ? []
      : ['For your own project: put rules in .continuo/rules, then run "continuo install claude-code".']),
  ];
  return { data, text: lines.join("\n") };
}

function contents(shown: Preview): string[] {
  const { project, host, made, config, room, wired } = shown;
  const label = wired.find((one) => one.name === host)?.label ?? host;
  const session = host === "cli" ? "new session" : `new session of ${label}`;
  const left = made.dropped.map(
    (item) =>
      `  left out: ${oneLine(item.name)} (${count(item.tokens, "token")} do not fit: ${boundOf(item, shown)})`,
  );
  if (made.text === "" && left.length > 0)
    return [`A ${session} in ${project.root} would get nothing, because nothing fits:`, ...left];
  if (made.text === "")
    return [
      `A ${session} in ${project.root} would get nothing, and use no tokens: no rule or note applies.`,
      "To try it, put a rule in .continuo/rules, for example:",
      '  mkdir -p .continuo/rules && echo "Run the tests before you say done." > .continuo/rules/tests.md',
    ];
  return [
    `A ${session} in project "${project.label}" (${project.root}) would get exactly this before its first answer:`,
    "",
    made.text,
    "",
    "Sources:",
    table(
      ["source", "item", "tokens", "why"],
      made.items.map((item) => [item.source, item.name, String(item.tokens), item.reason]),
    ),
    ...left,
    "",
    ...partsLine(made, room),
    `${count(made.tokens, "token")} (estimated), ${made.text.length} characters. Limits in tokens: ${config.rulesLimit} for rules (rulesLimit); for everything else ${config.snapshotAim} less the rules, but at least 44% of it (snapshotAim), and ${config.tokenLimit} (tokenLimit).`,
  ];
}

/** The setting, or the host's property, that keeps an item out. */
function boundOf({ bound }: DeliveredItem, { config, room }: Preview): string {
  switch (bound) {
    case "aim":
      return `snapshotAim is ${config.snapshotAim}`;
    case "others":
      return `tokenLimit is ${config.tokenLimit}`;
    case "room":
      return `this host shows ${room?.most ?? 0} ${room?.unit ?? "characters"} of one hook output, in at most ${room?.parts ?? 1} parts`;
    default:
      return config.tokenLimit === 0 || config.rulesLimit === config.tokenLimit
        ? `tokenLimit is ${config.tokenLimit}`
        : `rulesLimit is ${config.rulesLimit}`;
  }
}

/** How the text is split if it is too long for one hook output. */
function partsLine({ parts }: Composition, room: Room | undefined): string[] {
  if (room === undefined || parts.length < 2) return [];
  return [
    `Delivered in ${parts.length} parts, because this host shows ${room.most} ${room.unit} of one hook output: as many as it has hook entries before the first answer, the rest with the next prompts and tool calls.`,
  ];
}

const SHOWN_WAITING = 20;

function waitingLines(waiting: readonly WaitingRule[]): string[] {
  if (waiting.length === 0) return [];
  const more = waiting.length - SHOWN_WAITING;
  return [
    "",
    "Rules that are added when their condition is met:",
    ...waiting.slice(0, SHOWN_WAITING).map((rule) => `  ${oneLine(`${rule.name}: ${rule.waitsFor}`)}`),
    ...(more > 0 ? [`  and ${more} more: continuo rules list`] : []),
  ];
}

/** Which host this is for, unless the user named it or there is only one. */
function hostLines({ host, wired, isAsked }: Preview): string[] {
  if (isAsked) return [];
  const [first, ...others] = wired;
  if (first === undefined)
    return [
      "Continuo is set up in no host here, so no host's limits were applied. Choose a host with --host, or set one up: continuo install",
    ];
  if (others.length === 0) return [];
  const names = wired.map((one) => `${one.label} (--host ${one.name})`).join(", ");
  return [`Shown for ${host}. Continuo is set up in ${names}.`];
}
