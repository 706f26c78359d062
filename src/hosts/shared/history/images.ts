import { isRecord } from "../../../base/json.ts";
import type { Image } from "../../../moments/ports/turn.ts";
import { type Entry, entryAt, textAt } from "./fields.ts";

/** More in one message are not listed. */
const MOST_IMAGES = 20;

/** The images in a message's content, whatever the host's form: their type and size, never their data. */
export function imagesIn(content: unknown): readonly Image[] {
  if (!Array.isArray(content)) return [];
  const images: Image[] = [];
  for (const block of content) {
    if (images.length >= MOST_IMAGES) break;
    if (!isRecord(block)) continue;
    const image = imageIn(block);
    if (image !== undefined) images.push(image);
    // A tool's result has a content of its own.
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
    ...(name === undefined ? {} : { name: name.slice(0, 200) }),
  };
}

/** Of base64 data; 0 for an image that is only referred to. */
function sizeOf(data: string | undefined): number {
  if (data === undefined || /^(?:https?|file):/.test(data)) return 0;
  const comma = data.startsWith("data:") ? data.indexOf(",") + 1 : 0;
  return Math.floor(((data.length - comma) * 3) / 4);
}
