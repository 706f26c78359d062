import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { clipTo, padTo, widthOf } from "../../terminal/width.ts";
import { contentsOf, type Delivery, occasionOf } from "./deliveries.ts";
import type { Names } from "./names.ts";

interface Look {
  readonly when: string;
  readonly screen: Pick<Screen, "width" | "isFitted">;
  readonly paint: Paint;
}

const WHEN = 11;
const AGENT = 11;
const PROJECT = 12;
const INDENT = "  ";
/** Below this width, what was given has a line of its own. */
const WIDE = 90;
/** Without room for this much of a session's name it is left out. */
const LEAST_NAME = 12;

/**
 * `5 min ago   Claude Code  shop  start: 2 rules, last session (162 tokens)  Retry failed webhooks`. A narrow screen gets two
 * lines.
 */
export function lineFor(delivery: Delivery, names: Names, { when, screen, paint }: Look): string {
  // Nothing is cut in a file or a pipe.
  const width = screen.isFitted ? screen.width : Number.POSITIVE_INFINITY;
  const isWide = width >= WIDE;
  const head = [
    paint("dim", padTo(clipTo(when, WHEN), WHEN)),
    padTo(clipTo(oneLine(names.agent(delivery.host)), AGENT), AGENT),
    paint("bold", padTo(clipTo(oneLine(projectOf(delivery.project)), PROJECT), PROJECT)),
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

export function toJson(delivery: Delivery, names: Names): object {
  const { at, host, session, project, epoch } = delivery;
  const common = { at, host, session, name: names.session(delivery) ?? null, project, epoch };
  if (delivery.kind === "replayed") return { ...common, kind: "replayed" };
  const { what, moment, tool, tokens, items } = delivery;
  const missing = delivery.isMissing === true ? { isMissing: true } : {};
  return { ...common, kind: what, moment: moment ?? null, tool: tool ?? null, tokens, items, ...missing };
}

/** A project's id is its folder, or git's folder in it. */
function projectOf(project: unknown): string {
  const parts = typeof project === "string" ? project.split(/[\\/]/) : [];
  return parts.filter((part) => part !== "" && part !== ".git").at(-1) ?? "";
}
