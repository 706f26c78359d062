import type { CardView } from "../../api/cards.ts";
import { sessionPath } from "../core/api.ts";
import { useGet } from "../core/resource.ts";
import { Loaded } from "../parts/States.tsx";
import { Rules } from "../rules/Rules.tsx";
import type { Tried } from "../rules/Try.tsx";
import type { AppletProps } from "./applet.ts";

/** The applet `rules`: the rules of the session's project, and which of them a path or a prompt would bring. */
export default function RulesApplet({ session, parameters, set }: AppletProps) {
  const card = useGet<CardView>(session && sessionPath(session.host, session.id, "/card"));
  const tried = { path: parameters["path"], prompt: parameters["prompt"], command: parameters["command"] };
  const keep = (values: Required<Tried>) =>
    set({ path: values.path ?? "", prompt: values.prompt ?? "", command: values.command ?? "" });
  if (session === undefined) return <Rules {...tried} keep={keep} />;
  return <Loaded resource={card}>{(data) => <Rules project={data?.root} {...tried} keep={keep} />}</Loaded>;
}
