import { isRecord } from "../../../base/json.ts";
import { isMachineMade, splitInjected } from "../../../compose/strip.ts";
import type { Answer, Call, Image, Mark, Marks, Turn } from "../../../moments/ports/turn.ts";
import type { HostTools } from "../../port/hook-host.ts";
import { toolUse } from "../tool-use/host-tools.ts";
import { type Entry, entryAt, inputOf, present, textAt, timeOf } from "./fields.ts";

/** Where a session works: relative paths start at `cwd`, and `root` is the project's. */
export interface Place {
  readonly cwd: string;
  readonly root: string;
}

/** Fields that all turns of one line share. */
export interface About {
  readonly id: string;
  readonly offset: number;
  readonly at: number | undefined;
  readonly parent?: string | undefined;
  readonly marks?: Marks | undefined;
}

/** A line without an id is identified by its offset. `id` and `parent`: the host's names of these fields. */
export function aboutLine(entry: Entry, offset: number, id = "id", parent = "parentId"): About {
  return {
    id: textAt(entry, id) ?? `@${offset}`,
    offset,
    at: timeOf(entry["timestamp"]),
    parent: textAt(entry, parent),
  };
}

type Given = Pick<Turn, "id" | "role" | "text" | "offset">;
type Optional = { readonly [K in Exclude<keyof Turn, keyof Given | "injected">]?: Turn[K] | undefined } & {
  /** A further mark, in addition to `marks`. */
  readonly mark?: Mark | undefined;
};

/** Creates every turn, so that injected text is separated in the same way for every host. */
export function makeTurn(given: Given & Optional): Turn {
  const { id, role, offset, mark, thinking, images = [], calls = [], answers = [] } = given;
  const { at, model, usage, group, parent } = given;
  const own: Marks = { ...given.marks, ...(mark === undefined ? {} : { [mark]: true }) };
  // The model's own words stay unchanged: a block that it quotes was not injected.
  const { text, injected } =
    role === "assistant" ? { text: given.text, injected: "" } : splitInjected(given.text);
  const isInjected = own.injected === true || (injected !== "" && text.trim() === "");
  const marks: Marks = {
    ...own,
    ...(isInjected ? { injected: true } : {}),
    ...(role === "user" && isMachineMade(given.text) ? { machineMade: true } : {}),
    ...(thinking ? { thinking: true } : {}),
    ...(isOurs(injected) ? { ours: true } : {}),
  };
  return {
    id,
    role,
    text: text.trim(),
    ...present({
      injected: injected || undefined,
      thinking: thinking || undefined,
      images: images.length === 0 ? undefined : images,
    }),
    calls,
    answers,
    ...present({ at, model, usage, group, parent }),
    offset,
    marks,
  };
}

/** The result of a line with a single turn. */
export function oneTurn(given: Given & Optional): { readonly turns: readonly Turn[] } {
  return { turns: [makeTurn(given)] };
}

/** A tool's answer to a call. */
export function answerTo(
  call: string | undefined,
  { name, before, failed = false, rejected = false }: AnswerFacts,
): Answer {
  return {
    call: call ?? "",
    ...present({ name }),
    ...(failed && { failed }),
    ...(rejected && { rejected }),
    ...present({ before }),
  };
}

interface AnswerFacts extends Partial<Pick<Answer, "before">> {
  readonly name?: string | undefined;
  readonly failed?: boolean;
  readonly rejected?: boolean;
}

/** Gemini writes the angle brackets of hook context as entities. */
function isOurs(injected: string): boolean {
  return /(?:<|&lt;)continuo(?:[\s>-]|&gt;)/i.test(injected);
}

/** Joins two pieces of one answer, in order. */
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

/** A tool call by the model. `input` may be an object or JSON text. */
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

/** Further images in a message are not listed. */
const MOST_IMAGES = 20;

/** The images in a message's content, in any host's form: their type and size, never their data. */
export function imagesIn(content: unknown): readonly Image[] {
  if (!Array.isArray(content)) return [];
  const images: Image[] = [];
  for (const block of content) {
    if (images.length >= MOST_IMAGES) break;
    if (!isRecord(block)) continue;
    const image = imageIn(block);
    if (image !== undefined) images.push(image);
    // A tool's result has its own content.
    else if (block["type"] === "tool_result") images.push(...imagesIn(block["content"]));
  }
  return images.slice(0, MOST_IMAGES);
}

function imageIn(block: Entry): Image | undefined {
  const source = entryAt(block, "source");
  const inline = entryAt(block, "inlineData");
  const address =
    textAt(block, "image_url") ?? textAt(entryAt(block, "image_url"), "url") ?? textAt(block, "url");
  const data = textAt(source, "data") ?? textAt(inline, "data") ?? textAt(block, "data") ?? address;
  const kind =
    textAt(source, "media_type") ??
    textAt(inline, "mimeType") ??
    textAt(block, "mimeType") ??
    textAt(block, "mime") ??
    /^data:(image\/[\w.+-]{1,40})[;,]/.exec(address ?? "")?.[1] ??
    (/^(?:input_)?image/.test(String(block["type"])) ? "image" : "");
  if (!kind.startsWith("image")) return undefined;
  const name = textAt(block, "filename") ?? textAt(block, "displayName");
  return {
    kind: kind.slice(0, 60),
    bytes: sizeOf(data),
    ...present({ name: name?.slice(0, 200) }),
  };
}

/** The size of base64 data; 0 for an image that is only referenced. */
function sizeOf(data: string | undefined): number {
  if (data === undefined || /^(?:https?|file):/.test(data)) return 0;
  const comma = data.startsWith("data:") ? data.indexOf(",") + 1 : 0;
  return Math.floor(((data.length - comma) * 3) / 4);
}
