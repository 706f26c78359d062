import { withDeadline } from "../../../base/deadline.ts";
import { ContinuoError, describeError, whatFailed } from "../../../base/errors.ts";
import { forTerminal, oneLine } from "../../../base/for-terminal.ts";
import type {
  Completion,
  CompletionItem,
  Job,
  Offer,
  OfferContext,
  SlashCommand,
} from "../../../moments/ports/offer.ts";
import type { HostServices } from "../../../moments/ports/tool.ts";
import type { Moment } from "../../../moments/types.ts";
import { type Config, loadConfig } from "../../../store/config.ts";
import { findHome } from "../../../store/home.ts";
import { recordFailure } from "../follow.ts";
import type { Background } from "./background.ts";
import type { Parts } from "./base.ts";

export interface OfferOptions extends Pick<Parts, "offers" | "sources" | "history" | "env" | "now"> {
  readonly host: string;
}

/** Where the user is: what adapters know at every event, and what the host can do. */
export type OfferPlace = Pick<Moment, "session" | "project" | "cwd" | "transcript"> & {
  readonly host?: HostServices;
};

/**
 * Runs what sources offer at a host's prompt. As in `follow`, every call is bounded, none throws, and failures are
 * recorded for `doctor`.
 */
export interface OfferRunner {
  readonly triggers: readonly string[];
  readonly commands: readonly OfferCommand[];
  /** The first answer of a completer. */
  complete(before: string, place: OfferPlace): Promise<Completion | undefined>;
  /** The status of all sources, in one line. */
  status(place: OfferPlace): Promise<string>;
  /** Queues the jobs of that time. `changed` is called when the status line may have changed. */
  begin(at: Job["at"], place: OfferPlace, background: Background, changed: () => void): void;
}

interface OfferCommand {
  readonly name: string;
  readonly description: string;
  readonly whenIdle: boolean;
  complete(argument: string, place: OfferPlace): Promise<readonly CompletionItem[]>;
  run(
    argument: string,
    place: OfferPlace,
    changed?: () => void,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
}

export function createOfferRunner(options: OfferOptions): OfferRunner {
  const { offers, sources, env, now, history } = options;
  const onFailure = (where: string, error: unknown) =>
    recordFailure(env, `${options.host} ${where}`, error, now());

  /** The offers of enabled sources, each with its context. Read at every call, because users edit their config. */
  function open(place: OfferPlace): { config: Config; opened: Opened[] } {
    const home = findHome(env);
    const { config } = loadConfig(home.config, sources, env);
    const opened = offers.flatMap((offer): Opened[] => {
      const settings = offer.source === undefined ? undefined : config.sources[offer.source];
      return settings?.enabled === false
        ? []
        : [[offer, { ...place, home, env, now: now(), history, settings: settings ?? {} }]];
    });
    return { config, opened };
  }

  /** An offer that fails or is late is left out; the others are not affected. */
  async function askAll<T>(
    where: string,
    place: OfferPlace,
    answer: (offer: Offer, context: OfferContext, config: Config) => T | Promise<T>,
  ): Promise<T[]> {
    const orFailure = async (work: () => Promise<T[]>) => {
      try {
        return await work();
      } catch (error) {
        onFailure(where, error);
        return [];
      }
    };
    return orFailure(async () => {
      const { config, opened } = open(place);
      const bounded = opened.map(([offer, context]) =>
        orFailure(async () => [
          await boundedBy(config.sourceDeadlineMs, where, async () => answer(offer, context, config)),
        ]),
      );
      return (await Promise.all(bounded)).flat();
    });
  }

  const command = (
    own: Offer,
    { name, description, whenIdle = false, complete, waitMs = COMMAND_MS, run }: SlashCommand,
  ): OfferCommand => ({
    name,
    description,
    whenIdle,
    complete: async (argument, place) =>
      (
        await askAll(`/${name}`, place, (offer, context) =>
          offer === own ? (complete?.(argument, context) ?? []) : [],
        )
      )
        .flat()
        .map(shown),
    async run(argument, place, changed) {
      try {
        const context = open(place).opened.find(([offer]) => offer === own)?.[1];
        if (context === undefined)
          return { ok: false, text: `the source "${own.source}" is turned off in config.json` };
        const work = async (signal: AbortSignal) => run(argument, { ...context, signal }, changed);
        const text = await boundedBy(waitMs, `/${name}`, work, context.signal);
        return { ok: true, text: forTerminal(text) };
      } catch (error) {
        const { code } = describeError(error);
        if (code === "bug" || code === LATE) onFailure(`/${name}`, error);
        return { ok: false, text: oneLine(whatFailed(error)) };
      }
    },
  });

  return {
    triggers: [...new Set(offers.flatMap(({ completers = [] }) => completers.map((one) => one.trigger)))],
    commands: offers.flatMap((offer) => (offer.commands ?? []).map((one) => command(offer, one))),
    async complete(before, place) {
      const found = await askAll("completion", place, async ({ completers = [] }, context) => {
        for (const completer of completers) {
          const completion = await completer.complete(before, context);
          if (completion !== undefined) return completion;
        }
        return undefined;
      });
      const first = found.find((one) => one !== undefined);
      return first && { ...first, items: first.items.map(shown) };
    },
    async status(place) {
      const texts = await askAll("status", place, (offer, context, config) =>
        config.statusLine ? (offer.status?.(context) ?? "") : "",
      );
      return oneLine(texts.filter((text) => text !== "").join(", "));
    },
    begin(at, place, background, changed) {
      try {
        for (const [{ jobs = [] }, context] of open(place).opened)
          for (const job of jobs.filter((one) => one.at === at))
            background.begin(job.name, (signal) => job.run(context, { signal, changed }), place.session.id);
      } catch (error) {
        onFailure("jobs", error);
      }
    },
  };
}

/** Names and sets come from files that others wrote, and hosts print them in a terminal. */
function shown({ value, label, description }: CompletionItem): CompletionItem {
  return { value: oneLine(value), label: oneLine(label), description: oneLine(description) };
}

type Opened = readonly [Offer, OfferContext];

/** The user waits longer for a typed command than a moment may take, but not forever. */
const COMMAND_MS = 15_000;
const LATE = "offer-late";

function boundedBy<T>(
  ms: number,
  where: string,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const late = () => new ContinuoError(LATE, `${where} took longer than ${ms} ms and was left out`);
  return withDeadline(ms, late, work, outer);
}
