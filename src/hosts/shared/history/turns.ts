import { isMachineMade, splitInjected } from "../../../compose/strip.ts";
import type { Call, Marks, Turn } from "../../../moments/ports/turn.ts";
import { type HostTools, toolUse } from "../tool-use/host-tools.ts";
import { inputOf, present } from "./fields.ts";

/** Where a session works: relative paths start at `cwd`, and `root` is the project. */
export interface Place {
  readonly cwd: string;
  readonly root: string;
}

type Given = Pick<Turn, "id" | "role" | "text" | "offset">;
type Optional = { readonly [K in Exclude<keyof Turn, keyof Given | "injected">]?: Turn[K] | undefined };

/** Every turn is made here, so injected text is separated in the same way for every host. */
export function makeTurn(given: Given & Optional): Turn {
  const { id, role, offset, thinking, images = [], calls = [], answers = [] } = given;
  const { at, model, usage, group, parent } = given;
  // The model's own words stay as they are: a block that it quotes was not injected.
  const { text, injected } =
    role === "assistant" ? { text: given.text, injected: "" } : splitInjected(given.text);
  const isInjected = given.marks?.injected === true || (injected !== "" && text.trim() === "");
  const marks: Marks = {
    ...given.marks,
    ...(isInjected ? { injected: true } : {}),
    ...(role === "user" && isMachineMade(given.text) ? { machineMade: true } : {}),
    ...(thinking ? { thinking: true } : {}),
    ...(isOurs(injected) ? { ours: true } : {}),
  };
  return {
    id,
    role,
    text: text.trim(),
    ...(injected === "" ? {} : { injected }),
    ...(thinking ? { thinking } : {}),
    ...(images.length === 0 ? {} : { images }),
    calls,
    answers,
    ...(at === undefined ? {} : { at }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(group === undefined ? {} : { group }),
    ...(parent === undefined ? {} : { parent }),
    offset,
    marks,
  };
}

/** Gemini writes the angle brackets of hook context as entities. */
function isOurs(injected: string): boolean {
  return /(?:<|&lt;)continuo(?:[\s>-]|&gt;)/i.test(injected);
}

/** Two pieces of one answer, in their order. */
export function joinTurns(first: Turn, next: Turn): Turn {
  const thinking = joined(first.thinking, next.thinking);
  return makeTurn({
    ...first,
    text: joined(first.text, next.text),
    thinking,
    images: [...(first.images ?? []), ...(next.images ?? [])],
    calls: [...first.calls, ...next.calls],
    answers: [...first.answers, ...next.answers],
    model: next.model ?? first.model,
    usage: next.usage ?? first.usage,
    marks: { ...first.marks, ...next.marks },
  });
}

function joined(first = "", next = ""): string {
  return first === "" || next === "" ? first + next : `${first}\n\n${next}`;
}

/** A tool call of the model. `input` may be an object or JSON text. */
export function makeCall(
  id: string | undefined,
  name: string,
  input: unknown,
  { cwd, root }: Place,
  tools: HostTools,
): Call {
  const given = inputOf(input);
  return { ...present({ id }), name, input: given, ...toolUse(tools, name, given, cwd, root) };
}
