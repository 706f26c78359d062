import { AppWindow, ChevronDown } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AppletList } from "../../api/applets.ts";
import { useAppletAddress } from "../core/applet-address.ts";
import { useKeys } from "../core/keys.ts";
import { useGet } from "../core/resource.ts";
import { Icon } from "../parts/Icon.tsx";
import { Loaded } from "../parts/States.tsx";

/** All applets, Continuo's and the user's own, to open beside the session. */
export function OpenMenu({ session }: { session: { host: string; id: string } }) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeBeside = (event: Event) => {
      if (!menu.current?.contains(event.target as Node | null)) setOpen(false);
    };
    addEventListener("pointerdown", closeBeside);
    addEventListener("focusin", closeBeside);
    return () => {
      removeEventListener("pointerdown", closeBeside);
      removeEventListener("focusin", closeBeside);
    };
  }, [isOpen]);
  const leave = () => {
    setOpen(false);
    menu.current?.querySelector("summary")?.focus();
  };
  useKeys({ Esc: { what: "close the menu", run: leave } }, isOpen);
  return (
    <details
      ref={menu}
      class="open-menu"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class="button button-quiet">
        <Icon of={AppWindow} /> Open <Icon of={ChevronDown} size={14} />
      </summary>
      {isOpen && <Choices session={session} close={() => setOpen(false)} />}
    </details>
  );
}

function Choices({ session, close }: { session: { host: string; id: string }; close: () => void }) {
  const address = useAppletAddress(session);
  const list = useGet<AppletList>("/applets");
  return (
    <div class="open-choices rounded surface scroll pad-1">
      <Loaded resource={list} lines={5}>
        {({ applets }) => (
          <ul>
            {applets.map(({ slug, title, description, problems }) => (
              <li key={slug}>
                <a class="stack break rounded-small hover-strong" href={address(slug)} onClick={close}>
                  <span>{title}</span>
                  <span class="muted small">{problems.length > 0 ? "cannot be shown" : description}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}
