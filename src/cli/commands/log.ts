import { setTimeout as sleep } from "node:timers/promises";
import { oneLine } from "../../base/for-terminal.ts";
import { ago, count } from "../../base/when.ts";
import { inputOf } from "../../moments/actions/words.ts";
import { type Delivery, isDelivery, newestDeliveries, type Wanted } from "../../moments/given/deliveries.ts";
import { log, nothing, SHOWN, wantedBy } from "../../moments/given/log.ts";
import { contentsOf, deliveryToJson, occasionOf, projectName } from "../../moments/given/words.ts";
import { alone } from "../../moments/ports/action.ts";
import { followLedger } from "../../moments/state/follow-ledger.ts";
import { ifIndexed } from "../../sources/sessions/access.ts";
import { findHome } from "../../store/home.ts";
import { asCommand, placeFor } from "../actions/as-command.ts";
import type { Command, Input, Outcome } from "../command.ts";
import { nextSteps } from "../terminal/next-step.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import { interruptible } from "../terminal/progress.ts";
import { PLAIN, type Screen } from "../terminal/screen.ts";
import { clipTo, padTo, widthOf } from "../terminal/width.ts";
import { wrapOn } from "../terminal/wrap.ts";

/** How often new deliveries are looked for. */
const EVERY_MS = 400;

const command = asCommand(alone("sessions", log));

/** The action, plus watching: prints lines as they come, with `--json` one object per line. */
export const logCommand: Command = {
  ...command,
  usage: "log [--follow] [--session SESSION] [--limit N]",
  options: {
    follow: { type: "boolean", short: "f", help: "keep running and print new lines; Ctrl-C stops it" },
    ...command.options,
  },
  raw: true,
  run,
};

async function run(input: Input): Promise<Outcome> {
  const asked = inputOf(log, input.values, input.positionals) as { session?: string; limit?: number };
  const { session, limit = SHOWN } = asked;
  const isJson = input.values["json"] === true;
  const isFollowing = input.values["follow"] === true;
  const home = findHome(input.env);
  const isWanted = await wantedBy(session, placeFor(input));
  // Begins before the list is read, so that nothing falls in between; what is in both is shown once.
  const follower = isFollowing ? followLedger(home) : undefined;
  const show = printer(input, await namesFor(input), isFollowing);
  const first = newestDeliveries(home, limit, isWanted);
  await show(first);
  if (follower !== undefined) {
    input.tell?.(
      first.length === 0
        ? "Nothing added yet; waiting. Ctrl-C stops it."
        : "Waiting for more. Ctrl-C stops it.",
    );
    const shown = new Set(first.map((one) => JSON.stringify(one)));
    await interruptible((signal) =>
      follow(follower, signal, (one) => isWanted(one) && !shown.has(JSON.stringify(one)), show),
    );
  } else if (!isJson && first.length === 0) {
    input.output?.say(wrapOn(nothing(session), input.screen ?? PLAIN));
  } else if (!isJson) {
    const steps = nextSteps(
      input.screen ?? PLAIN,
      ["continuo log --follow", "Watch it as it happens"],
      ["continuo why", "What this project's last session has, and why"],
    );
    if (steps.length > 0) input.output?.say(steps.join("\n"));
  }
  return { data: undefined, text: "" };
}

type Show = (deliveries: readonly Delivery[]) => Promise<void>;

async function follow(
  follower: ReturnType<typeof followLedger>,
  signal: AbortSignal,
  isNew: Wanted,
  show: Show,
): Promise<void> {
  while (!signal.aborted) {
    const { lines, isMore } = follower.next();
    await show(lines.filter(isDelivery).filter(isNew));
    if (!isMore) await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined); // Ctrl-C
  }
}

function printer(input: Input, names: Names, isFollowing: boolean): Show {
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  return async (deliveries) => {
    if (deliveries.length === 0) return;
    await names.learn(deliveries);
    for (const one of deliveries) {
      if (input.values["json"] === true) input.output?.json(deliveryToJson(one, names.session(one)));
      else {
        const at = Date.parse(one.at);
        // "Just now" would be wrong soon after in a window that stays open.
        const when = isFollowing ? clock(at, input.now()) : ago(at, input.now());
        input.output?.say(lineFor(one, names, { when: oneLine(when), screen, paint }));
      }
    }
  };
}

function clock(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toTimeString().slice(0, 8);
  return date.toDateString() === new Date(now).toDateString() ? time : ago(at, now);
}

/** What people call the sessions and agents of a log. */
interface Names {
  agent(host: string): string;
  /** Undefined for a session that is not indexed yet. */
  session(delivery: Delivery): string | undefined;
  /** Looks up the sessions of these deliveries that are not known yet. */
  learn(deliveries: readonly Delivery[]): Promise<void>;
}

/** A session that has no name yet is looked up again after this time. */
const AGAIN_MS = 30_000;

async function namesFor(input: Input): Promise<Names> {
  const labels = new Map<string, string>((await input.installers()).map(({ host, label }) => [host, label]));
  const known = new Map<string, { readonly name?: string; readonly at: number }>();
  const keyOf = ({ host, session }: Delivery) => `${host}/${session}`;
  return {
    agent: (host) => labels.get(host) ?? host,
    session: (delivery) => known.get(keyOf(delivery))?.name,
    async learn(deliveries) {
      const at = input.now();
      const missing = deliveries.filter((one) => {
        const found = known.get(keyOf(one));
        return found === undefined || (found.name === undefined && at - found.at > AGAIN_MS);
      });
      if (missing.length === 0) return;
      // Looking up a name does not create an index.
      const found = await ifIndexed(placeFor(input), (sessions) =>
        missing.map(({ host, session: id }) => sessions.get({ host, id })?.name),
      );
      for (const [i, one] of missing.entries()) {
        const name = found?.[i];
        known.set(keyOf(one), { at, name });
      }
    },
  };
}

interface Look {
  readonly when: string;
  readonly screen: Pick<Screen, "width" | "isFitted">;
  readonly paint: Paint;
}

const WHEN = 11;
const AGENT = 11;
const PROJECT = 12;
const INDENT = "  ";
/** Below this width, the delivered text gets its own line. */
const WIDE = 90;
/** Without room for this much of a session's name it is left out. */
const LEAST_NAME = 12;

/**
 * `5 min ago   Claude Code  shop  start: 2 rules, last session (162 tokens)  Retry failed webhooks`. A narrow screen gets two
 * lines.
 */
function lineFor(delivery: Delivery, names: Names, { when, screen, paint }: Look): string {
  // Nothing is cut in a file or a pipe.
  const width = screen.isFitted ? screen.width : Number.POSITIVE_INFINITY;
  const isWide = width >= WIDE;
  const head = [
    paint("dim", padTo(clipTo(when, WHEN), WHEN)),
    padTo(clipTo(oneLine(names.agent(delivery.host)), AGENT), AGENT),
    paint("bold", padTo(clipTo(oneLine(projectName(delivery.project)), PROJECT), PROJECT)),
  ].join("  ");
  const used = isWide ? widthOf(head) + 2 : INDENT.length;
  const tokens = delivery.kind === "replayed" ? "" : ` (${count(delivery.tokens, "token")})`;
  const room = width - used - tokens.length;
  const inWords = (contents: string) => oneLine(`${occasionOf(delivery)}: ${contents}`);
  const contents = contentsOf(delivery, (text) => widthOf(inWords(text)) <= room);
  const what = clipTo(inWords(contents), room);
  const name = oneLine(names.session(delivery) ?? delivery.session);
  const given = `${what}${paint("dim", tokens)}`;
  if (!isWide) return `${head}  ${paint("dim", clipTo(name, width - widthOf(head) - 2))}\n${INDENT}${given}`;
  const left = room - widthOf(what) - 2;
  return `${head}  ${given}${left < LEAST_NAME ? "" : `  ${paint("dim", clipTo(name, left))}`}`;
}
