import { existsSync } from "node:fs";
import { ContinuoError } from "../../../base/errors.ts";
import { sessionsIndexPath } from "../../../sources/sessions/indexing/schema.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { projectHere, withSessions } from "../sessions/with-sessions.ts";
import type { Delivery, Wanted } from "./deliveries.ts";

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

export async function namesFor(input: Input): Promise<Names> {
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
        known.set(keyOf(one), { at, ...(name === undefined ? {} : { name }) });
      }
    },
  };
}

/** By a name, an id or the beginning of one. A session that is not indexed yet is known by its id only. */
export async function wantedBy(input: Input, typed: string | undefined): Promise<Wanted> {
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
