import { oneLine, shortId } from "../../base/for-terminal.ts";
import { AGENT_NAMES } from "../../base/host-names.ts";
import type { Place } from "../ports/action.ts";
import type { Shown } from "../ports/view.ts";
import type { Chosen } from "../state/choose-session.ts";
import { oneOf, optional, text } from "./fields.ts";

/** The fields that say which session to act on, for `chooseSession`. */
export const SESSION = {
  session: optional(
    text("the session", { value: "ID", fallback: "the current or last one of this project" }),
  ),
  host: optional(
    oneOf("only sessions of this agent", AGENT_NAMES, { value: "AGENT", fallback: "all agents" }),
  ),
};

/** What people know about a session. */
export interface NamedSession {
  readonly agent: string;
  /** Empty if it has none. */
  readonly name: string;
  readonly project: string | undefined;
  readonly id: string;
}

export async function namedSession(
  { session: { host, id }, project }: Pick<Chosen, "session" | "project">,
  place: Place,
): Promise<NamedSession> {
  const others = await place.others?.();
  return {
    agent: others?.agentName(host) ?? host,
    name: others?.sessionName({ host, session: id }) ?? "",
    project: project?.label,
    id,
  };
}

/** `Retry failed webhooks (Claude Code, project shop, 5d0c2f7e)`, shown so that nobody changes the wrong session. */
export function sessionLine({ agent, name, project, id }: NamedSession, { paint }: Shown): string {
  const known = name === "" ? [] : [shortId(id)];
  const facts = [agent, ...(project === undefined ? [] : [`project ${oneLine(project)}`]), ...known];
  const title = name === "" ? `Session ${shortId(id)}` : oneLine(name);
  return `${paint("bold", title)} ${paint("dim", `(${facts.join(", ")})`)}`;
}
