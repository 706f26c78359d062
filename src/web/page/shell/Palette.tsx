import { useEffect, useId, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { AppletList } from "../../api/applets.ts";
import type { PaletteHit } from "../../api/overview.ts";
import { sessionShown, withApplet } from "../core/applet-address.ts";
import { focusContent } from "../core/content-focus.ts";
import { useGet } from "../core/resource.ts";
import { setTheme } from "../core/theme.ts";
import { newNoteAddress } from "../notes/addresses.ts";
import { MAIN_PLACES } from "../places.tsx";
import { Dialog } from "./Dialog.tsx";

interface Entry {
  readonly kind: string;
  readonly title: string;
  readonly detail?: string;
  run(): void;
}

/** Search and commands: type, choose with the arrow keys, Enter. */
export function Palette({ close, openKeys }: { close: () => void; openKeys: () => void }) {
  const { route, path, query: place } = useLocation();
  const [typed, setTyped] = useState("");
  const [chosen, choose] = useState(0);
  const list = useId();
  const query = typed.trim();
  const found = useGet<{ hits: readonly PaletteHit[] }>(query === "" ? undefined : "/palette", { q: query });
  const isSession = sessionShown({ path, query: place }) !== undefined;
  const applets = useGet<AppletList>(isSession ? "/applets" : undefined);
  const go = (address: string) => () => {
    close();
    focusContent(new URL(address, location.origin).pathname);
    route(address);
  };
  const actions: readonly Entry[] = [
    ...MAIN_PLACES.map(({ label, path }) => ({ kind: "Go to", title: label, run: go(path) })),
    // Opens beside the shown session, without leaving the page.
    ...(applets.data?.applets ?? []).map(({ slug, title, description }) => ({
      kind: "Open",
      title,
      detail: description,
      run: go(withApplet({ path, query: place }, { slug, parameters: {} })),
    })),
    { kind: "Action", title: "New note", run: go(newNoteAddress()) },
    { kind: "Action", title: "Show the keys", run: openKeys },
    ...(["light", "dark", "system"] as const).map((one) => ({
      kind: "Theme",
      title: one === "system" ? "Theme of the system" : `${one === "light" ? "Light" : "Dark"} theme`,
      run: () => {
        setTheme(one);
        close();
      },
    })),
  ];
  const entries: readonly Entry[] = [
    ...actions.filter(({ kind, title }) => matches(`${kind} ${title}`, query)),
    ...(found.data?.hits ?? []).map((hit) => ({
      kind: hit.kind,
      title: hit.title,
      detail: hit.detail,
      run: go(hit.address),
    })),
    ...(query === ""
      ? []
      : [
          {
            kind: "Search",
            title: `Search sessions for “${query}”`,
            run: go(`/sessions?q=${encodeURIComponent(query)}`),
          },
          {
            kind: "Search",
            title: `Search notes for “${query}”`,
            run: go(`/memory?q=${encodeURIComponent(query)}`),
          },
        ]),
  ];
  const at = Math.min(chosen, entries.length - 1);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [list, at]);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") choose((at + 1) % entries.length);
    else if (event.key === "ArrowUp") choose((at - 1 + entries.length) % entries.length);
    else if (event.key === "Enter") entries[at]?.run();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Search and commands" close={close} class="palette">
      <input
        autofocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at < 0 ? undefined : `${list}-${at}`}
        aria-label="Search sessions, notes, rules and commands"
        placeholder="Search sessions, notes, rules and commands"
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          choose(0);
        }}
        onKeyDown={onKey}
      />
      <ul id={list} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          <li
            key={`${entry.kind} ${entry.title} ${index}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => choose(index)}
            onClick={entry.run}
            onKeyDown={onKey}
          >
            <span class="palette-kind fixed faint small">{entry.kind}</span>
            <span class="palette-title grow-auto nowrap">{entry.title}</span>
            {entry.detail && <span class="palette-detail muted small nowrap">{entry.detail}</span>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function matches(text: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}
