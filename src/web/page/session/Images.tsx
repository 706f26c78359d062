import { Image as ImageIcon } from "lucide";
import type { ShownTurn } from "../../api/conversation.ts";
import { bytes } from "../core/format.ts";
import { Icon } from "../parts/Icon.tsx";

/** Images by their type and size. The page never loads them. */
export function Images({ images }: { images: ShownTurn["images"] }) {
  if (images.length === 0) return null;
  return (
    <ul class="images">
      {images.map((image, at) => (
        <li key={at}>
          <Icon of={ImageIcon} size={14} />
          <span>{image.name ?? image.kind}</span>
          {image.bytes > 0 && <span class="muted">{bytes(image.bytes)}</span>}
        </li>
      ))}
    </ul>
  );
}
