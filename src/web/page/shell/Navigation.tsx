import { Ellipsis, Keyboard, Monitor, Moon, Search, Sun } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Overview } from "../../api/overview.ts";
import { modKey } from "../core/keys.ts";
import { useGet } from "../core/resource.ts";
import { setTheme, type Theme, theme } from "../core/theme.ts";
import { waiting as allWaiting } from "../core/title.ts";
import { Button } from "../parts/Button.tsx";
import { Icon } from "../parts/Icon.tsx";
import { MAIN_PLACES, type MainPlace } from "../places.tsx";

const THEMES: readonly { id: Theme; label: string; icon: typeof Sun }[] = [
  { id: "system", label: "Theme of the system", icon: Monitor },
  { id: "light", label: "Light theme", icon: Sun },
  { id: "dark", label: "Dark theme", icon: Moon },
];

export function Navigation(props: { openPalette: () => void; openKeys: () => void }) {
  const { path, query } = useLocation();
  // `/?session=ID` shows a session too.
  const here = path === "/" && query["session"] !== undefined ? "/sessions" : path;
  const overview = useGet<Pick<Overview, "waiting">>("/overview", {}, ["inbox", "session", "health"]);
  const waiting: Readonly<Record<string, number>> = {
    "/inbox": overview.data?.waiting?.proposals ?? 0,
    "/sessions": overview.data?.waiting?.unobserved ?? 0,
  };
  const [isMore, setMore] = useState(false);
  useEffect(() => setMore(false), [here]);
  const total = Object.values(waiting).reduce((sum, one) => sum + one, 0);
  useEffect(() => {
    allWaiting.value = total;
  }, [total]);
  const chosen = THEMES.findIndex(({ id }) => id === theme.value);
  const next = THEMES[(chosen + 1) % THEMES.length] ?? THEMES[0];
  return (
    <nav
      class={`navigation stack gap-2 surface-2 scroll ${isMore ? "navigation-more" : ""}`}
      aria-label="Places"
    >
      <a class="brand row gap-2" href="/">
        <span class="brand-mark" aria-hidden="true" />
        Continuo
      </a>
      <button
        type="button"
        class="find box row gap-2 full muted surface"
        onClick={props.openPalette}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon of={Search} />
        <span>Search</span>
        <kbd>{modKey()} K</kbd>
      </button>
      <ul>
        {MAIN_PLACES.map((place) => (
          <PlaceLink key={place.path} place={place} here={here} count={waiting[place.path] ?? 0} />
        ))}
        <li class="more-places">
          <button type="button" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            <Icon of={Ellipsis} />
            <span class="place-label">More</span>
          </button>
        </li>
      </ul>
      <div class="navigation-end flex gap-1">
        {next && (
          <Button
            kind="quiet"
            icon={THEMES[chosen]?.icon ?? Monitor}
            aria-label={`${THEMES[chosen]?.label}. Change to: ${next.label}`}
            onClick={() => setTheme(next.id)}
          />
        )}
        <Button kind="quiet" icon={Keyboard} aria-label="Keys" onClick={props.openKeys} />
      </div>
    </nav>
  );
}

function PlaceLink({ place, here, count }: { place: MainPlace; here: string; count: number }) {
  const { path, label, icon, key, isMore } = place;
  const isHere = path === "/" ? here === "/" : `${here}/`.startsWith(`${path}/`);
  return (
    <li class={isMore ? "place-more" : undefined}>
      <a href={path} {...(isHere && { "aria-current": "page" })} title={`${label} (g ${key})`}>
        <Icon of={icon} />
        <span class="place-label">{label}</span>
        {count > 0 && (
          <span class="count">
            {count > 99 ? "99+" : count}
            <span class="unseen"> waiting</span>
          </span>
        )}
      </a>
    </li>
  );
}
