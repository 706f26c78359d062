import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { followLedger } from "../../../moments/state/follow-ledger.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { exactly, textOption, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { interruptible } from "../../terminal/progress.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { projectHere, withSessions } from "../sessions/with-sessions.ts";
import { type Delivery, isDelivery, lineFor, newestDeliveries, toJson, type Wanted } from "./deliveries.ts";

const USAGE = "log [--follow] [--session SESSION] [--limit N]";
const SHOWN = 20;
const MOST = 10_000;
/** How often new deliveries are looked for. */
const EVERY_MS = 400;

export const logCommand: Command = {
  name: "log",
  summary: "list what Continuo added to sessions; --follow: live",
  usage: USAGE,
  section: "sessions",
  guide:
    "One line for each text that was added to a session, newest last: time, agent, project, content and tokens. With --json, each line is one JSON object. For one session with the reasons: `continuo why`",
  options: {
    follow: { type: "boolean", short: "f", help: "keep running and print new lines; Ctrl-C stops it" },
    session: { type: "string", value: "SESSION", help: "only this session: its name or id", fallback: "all" },
    limit: { type: "string", value: "N", help: "how many lines to list first", fallback: String(SHOWN) },
  },
  examples: [
    ["continuo log", "the last 20 lines"],
    ["continuo log --follow", "watch what is added while you work"],
    ["continuo log --session last --limit 100", "everything that was added to the last session"],
  ],
  // Prints its lines itself, as they come.
  raw: true,
  run,
};

async function run(input: Input): Promise<Outcome> {
  exactly(input, 0, USAGE);
  const limit = wholeOption(input, "limit", 0, MOST) ?? SHOWN;
  const isFollowing = input.values["follow"] === true;
  const home = findHome(input.env);
  const isWanted = await wantedBy(input, textOption(input, "session"));
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
  } else if (first.length === 0 && input.values["json"] !== true) {
    const session = textOption(input, "session");
    const text =
      session === undefined
        ? "No session was given anything yet. Start one in a connected agent, then run this again. (Not connected? continuo install)"
        : `Nothing was given to a session called "${oneLine(session)}". Sessions that were given something: continuo status`;
    input.output?.say(wrapOn(text, input.screen ?? PLAIN));
  } else if (input.values["json"] !== true) {
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
      if (input.values["json"] === true) input.output?.json(toJson(one, names));
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
export interface Names {
  agent(host: string): string;
  /** Undefined for a session that is not indexed yet. */
  session(delivery: Delivery): string | undefined;
  /** Looks up those of the deliveries that are not known yet. */
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
      const found = await indexed(input, (sessions) =>
        missing.map(({ host, session: id }) => sessions.get({ host, id })?.name),
      );
      for (const [i, one] of missing.entries()) {
        const name = found?.[i];
        known.set(keyOf(one), { at, name });
      }
    },
  };
}

/** By a name, an id or the beginning of one. A session that is not indexed yet is known by its id only. */
async function wantedBy(input: Input, typed: string | undefined): Promise<Wanted> {
  if (typed === undefined) return () => true;
  const found = await indexed(input, (sessions) => sessions.find(typed, { project: projectHere(input) }));
  if (found?.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `several sessions are named "${typed}"`, {
      hint: `use an id: ${found.candidates.map(({ id }) => id).join(", ")}`,
    });
  if (found?.kind === "found") {
    const { host, id } = found.session;
    return (one) => one.session === id && one.host === host;
  }
  const begin = typed.toLowerCase();
  return (one) => one.session.toLowerCase().startsWith(begin);
}

/** Undefined without an index: looking for a name creates none. */
export async function indexed<T>(
  input: Input,
  use: Parameters<typeof withSessions<T>>[1],
): Promise<T | undefined> {
  return existsSync(sessionsIndexPath(findHome(input.env))) ? withSessions(input, use) : undefined;
}
