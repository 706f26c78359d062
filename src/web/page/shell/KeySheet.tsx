import { keyMaps } from "../core/keys.ts";
import { Dialog } from "./Dialog.tsx";

/** The keys that work now. */
export function KeySheet({ close }: { close: () => void }) {
  const keys = new Map(keyMaps.value.flatMap((map) => Object.entries(map)));
  return (
    <Dialog label="Keys" close={close} class="key-sheet">
      <h2>Keys</h2>
      <dl>
        {[...keys].map(([key, { what }]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((part) => (
                <kbd key={part}>{part.replace("Mod+", "Ctrl/⌘ ")}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
