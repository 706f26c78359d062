import { ContinuoError } from "../../base/errors.ts";
import { oneLine } from "../../base/for-terminal.ts";
import { ago, count } from "../../base/when.ts";
import { fields, optional, text, whole } from "../actions/fields.ts";
import { action, type Place } from "../ports/action.ts";
import { type Delivery, newestDeliveries, type Wanted } from "./deliveries.ts";
import { contentsOf, deliveryToJson, occasionOf, projectName } from "./words.ts";

export const SHOWN = 20;
const MOST = 10_000;

/** On the command line it can also keep watching. */
export const log = action({
  name: "log",
  about: "list what Continuo added to sessions; --follow: live",
  guide:
    "One line for each text that was added to a session, newest last: time, agent, project, content and tokens. With --json, each line is one JSON object. For one session with the reasons: `continuo why`",
  examples: [
    ["continuo log", "the last 20 lines"],
    ["continuo log --follow", "watch what is added while you work"],
    ["continuo log --session last --limit 100", "everything that was added to the last session"],
  ],
  effect: "reads",
  input: fields({
    session: optional(text("only this session: its name or id", { value: "SESSION", fallback: "all" })),
    limit: optional(whole("how many lines to list first", 0, MOST, { value: "N", fallback: String(SHOWN) })),
  }),
  async run({ session, limit = SHOWN }, place) {
    const deliveries = newestDeliveries(place.home, limit, await wantedBy(session, place));
    const others = await place.others?.();
    return {
      session,
      deliveries: deliveries.map((delivery) => ({
        delivery,
        agent: others?.agentName(delivery.host) ?? delivery.host,
        name: others?.sessionName(delivery) || undefined,
      })),
    };
  },
  json: ({ deliveries }) => deliveries.map(({ delivery, name }) => deliveryToJson(delivery, name)),
  view: ({ session, deliveries }, { now, paint }) =>
    deliveries.length === 0
      ? [nothing(session)]
      : deliveries.map(({ delivery, agent, name }) => {
          const tokens = delivery.kind === "replayed" ? "" : ` (${count(delivery.tokens, "token")})`;
          const what = `${occasionOf(delivery)}: ${contentsOf(delivery, () => true)}${tokens}`;
          const parts = [agent, projectName(delivery.project), what, name ?? delivery.session];
          return [paint("dim", ago(Date.parse(delivery.at), now)), ...parts.map(oneLine)].join("  ");
        }),
});

export function nothing(session: string | undefined): string {
  return session === undefined
    ? "No session was given anything yet. Start one in a connected agent, then run this again. (Not connected? continuo install)"
    : `Nothing was given to a session called "${oneLine(session)}". Sessions that were given something: continuo status`;
}

/** By name, id or prefix of an id. A session that is not indexed yet is known only by its id. */
export async function wantedBy(said: string | undefined, place: Place): Promise<Wanted> {
  if (said === undefined) return () => true;
  const found = (await (await place.others?.())?.sessionsCalled(said)) ?? [];
  if (found.length > 1)
    throw new ContinuoError("session-ambiguous", `several sessions are named "${said}"`, {
      hint: `use an id: ${found.map(({ id }) => id).join(", ")}`,
    });
  const [one] = found;
  if (one !== undefined) return ({ host, session }: Delivery) => session === one.id && host === one.host;
  const begin = said.toLowerCase();
  return ({ session }) => session.toLowerCase().startsWith(begin);
}
