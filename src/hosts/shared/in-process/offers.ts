import { within } from "../../../base/deadline.ts";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { forTerminal, oneLine } from "../../../base/for-terminal.ts";
import type { LoadHistory } from "../../../moments/ports/history.ts";
import type {
  Completion,
  CompletionItem,
  Job,
  Offer,
  OfferContext,
  SlashCommand,
} from "../../../moments/ports/offer.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { HostServices } from "../../../moments/ports/tool.ts";
import type { Moment } from "../../../moments/types.ts";
import { type Config, loadConfig } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import { recordFailure } from "../follow.ts";
import type { Background } from "./background.ts";

export interface OfferOptions {
  readonly host: string;
  readonly offers: readonly Offer[];
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}

/** Where the person is: what adapters know at every event anyway, and what the host can do. */
export type Seat = Pick<Moment, "session" | "project" | "cwd" | "transcript"> & {
  readonly host?: HostServices;
};

/** What is offered at a host's prompt. Like `follow`: every call is bounded, none throws, failures are for `doctor`. */
export interface Counter {
  readonly triggers: readonly string[];
  readonly commands: readonly CounterCommand[];
  /** The first completer that has something to say. */
  complete(before: string, seat: Seat): Promise<Completion | undefined>;
  /** What all sources have to say, in one line. */
  status(seat: Seat): Promise<string>;
  /** Hands the jobs of that time over; `changed` is called when the status line may have changed. */
  begin(at: Job["at"], seat: Seat, background: Background, changed: () => void): void;
}

export interface CounterCommand {
  readonly name: string;
  readonly description: string;
  readonly afterRest: boolean;
  complete(argument: string, seat: Seat): Promise<readonly CompletionItem[]>;
  run(
    argument: string,
    seat: Seat,
    changed?: () => void,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
}

export function createCounter(options: OfferOptions): Counter {
  const { offers, sources, env, now, history } = options;
  const onTrouble = (where: string, error: unknown) =>
    recordFailure(env, `${options.host} ${where}`, error, now());

  /** The offers of sources that are turned on, each with what it is handed. Read anew: people edit their config. */
  function open(seat: Seat): { config: Config; opened: Opened[] } {
    const home = findHome(env);
    const { config } = loadConfig(home.config, sources, env);
    const opened = offers.flatMap((offer): Opened[] => {
      const settings = offer.source === undefined ? undefined : config.sources[offer.source];
      return settings?.enabled === false
        ? []
        : [[offer, { ...seat, home, env, now: now(), history, settings: settings ?? {} }]];
    });
    return { config, opened };
  }

  /** One offer that fails or is late is left out, and the others are not affected. */
  async function askAll<T>(
    where: string,
    seat: Seat,
    answer: (offer: Offer, context: OfferContext, config: Config) => T | Promise<T>,
  ): Promise<T[]> {
    const orTrouble = async (work: () => Promise<T[]>) => {
      try {
        return await work();
      } catch (error) {
        onTrouble(where, error);
        return [];
      }
    };
    return orTrouble(async () => {
      const { config, opened } = open(seat);
      const bounded = opened.map(([offer, context]) =>
        orTrouble(async () => [
          await boundedBy(config.sourceDeadlineMs, where, async () => answer(offer, context, config)),
        ]),
      );
      return (await Promise.all(bounded)).flat();
    });
  }

  const command = (
    own: Offer,
    { name, description, afterRest = false, complete, waitMs = COMMAND_MS, run }: SlashCommand,
  ): CounterCommand => ({
    name,
    description,
    afterRest,
    complete: async (argument, seat) =>
      (
        await askAll(`/${name}`, seat, (offer, context) =>
          offer === own ? (complete?.(argument, context) ?? []) : [],
        )
      )
        .flat()
        .map(shown),
    async run(argument, seat, changed) {
      try {
        const context = open(seat).opened.find(([offer]) => offer === own)?.[1];
        if (context === undefined)
          return { ok: false, text: `the source "${own.source}" is turned off in config.json` };
        const text = await boundedBy(waitMs, `/${name}`, async () => run(argument, context, changed));
        return { ok: true, text: forTerminal(text) };
      } catch (error) {
        const { code, message, hint } = describeError(error);
        if (code === "bug" || code === LATE) onTrouble(`/${name}`, error);
        return { ok: false, text: oneLine(hint === undefined ? message : `${message}; ${hint}`) };
      }
    },
  });

  return {
    triggers: [...new Set(offers.flatMap(({ completers = [] }) => completers.map((one) => one.trigger)))],
    commands: offers.flatMap((offer) => (offer.commands ?? []).map((one) => command(offer, one))),
    async complete(before, seat) {
      const found = await askAll("completion", seat, async ({ completers = [] }, context) => {
        for (const completer of completers) {
          const completion = await completer.complete(before, context);
          if (completion !== undefined) return completion;
        }
        return undefined;
      });
      const first = found.find((one) => one !== undefined);
      return first && { ...first, items: first.items.map(shown) };
    },
    async status(seat) {
      const texts = await askAll("status", seat, (offer, context, config) =>
        config.statusLine ? (offer.status?.(context) ?? "") : "",
      );
      return oneLine(texts.filter((text) => text !== "").join(", "));
    },
    begin(at, seat, background, changed) {
      try {
        for (const [{ jobs = [] }, context] of open(seat).opened)
          for (const job of jobs.filter((one) => one.at === at))
            background.begin(job.name, (signal) => job.run(context, { signal, changed }), seat.session.id);
      } catch (error) {
        onTrouble("jobs", error);
      }
    },
  };
}

/** Names and sets come from files that others wrote, and hosts show them in a terminal. */
function shown({ value, label, description }: CompletionItem): CompletionItem {
  return { value: oneLine(value), label: oneLine(label), description: oneLine(description) };
}

type Opened = readonly [Offer, OfferContext];

/** A person who typed a command waits longer than a moment may take, but not for ever. */
const COMMAND_MS = 15_000;
const LATE = "offer-late";

function boundedBy<T>(ms: number, where: string, work: () => Promise<T>): Promise<T> {
  const late = () => new ContinuoError(LATE, `${where} took longer than ${ms} ms and was left out`);
  return within(ms, late, work);
}
